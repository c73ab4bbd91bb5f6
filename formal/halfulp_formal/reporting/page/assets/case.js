// A case: what came in, and the model's stages with their bits by field; a witness, or an example.

/** The fields of a number; every other field has a name of its own, a flag or a part of a word. */
const NUMBER_FIELDS = ["sign", "prefix", "exponent", "fraction", "integer", "zero"];

/** Return everything about a case. */
function caseOf(title, found) {
  return el(
    "div",
    { class: "case" },
    el(
      "div",
      {},
      title && el("h4", {}, title),
      found.inputs && el("dl", { class: "words" }, found.inputs.map(([name, word]) => [el("dt", {}, name), el("dd", {}, el("code", {}, word))])),
      found.differences && el("ul", { class: "differences" }, found.differences.map((line) => el("li", {}, line))),
      found.stages && stagesOf(found.stages),
      found.failure && el("p", { class: "failure" }, found.failure),
      found.command && commandOf("Replay", found.command),
    ),
    found.curve && staircaseFigure(found.curve),
  );
}

/** Return a command to paste. */
function commandOf(label, command) {
  return el("p", { class: "command" }, el("span", {}, label), el("code", {}, command));
}

/** Return the stages as a table, in the model's order. */
function stagesOf(stages) {
  const heads = ["stage", "value", "bits", ""].map((text) => el("th", { scope: "col" }, text || el("span", { class: "unseen" }, "what happened")));
  return el(
    "div",
    { class: "scroll" },
    el("table", { class: "stages" }, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, stages.map(stageRow))),
  );
}

function stageRow([name, value, bits, type, exact, note, fields]) {
  const remarks = [exact && `= ${exact}`, note].filter(Boolean).join("; ");
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, name),
    el("td", { class: "value" }, value),
    el("td", {}, bits && el("div", { class: "word" }, el("code", {}, bits), type && el("i", {}, type)), fields.length ? bitsOf(name, fields) : null),
    el("td", { class: "note" }, remarks),
  );
}

/** Return bits by field, each field coloured and named. */
function bitsOf(name, fields) {
  const told = fields.map(([field, bits]) => `${field} ${bits}`).join(", ");
  return el(
    "span",
    { class: "bits", role: "img", "aria-label": `${name}: ${told}` },
    fields.map(([field, bits]) => {
      const isNumber = NUMBER_FIELDS.includes(field);
      const kind = isNumber ? field : bits === "1" ? "raised" : "";
      return el("span", { class: `bit-field ${kind}` }, el("b", {}, bits), el("i", {}, isNumber && bits.length < 3 ? field[0] : field));
    }),
  );
}
