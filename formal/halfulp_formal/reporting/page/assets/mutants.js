// Mutants: small changes of the model, each killed by a vector, proved equivalent, or open.

const FATES = ["mutants", "refused", "killed", "by an exception", "equivalent", "survive", "undecided"];

/** Show what became of the mutants; what is open stands first. */
function showMutants() {
  const { summary, conversions: counts, open, equivalent } = DATA.mutants;
  show(
    byId("page-mutants"),
    el("h1", { tabindex: -1 }, "Mutants"),
    el("div", { class: `verdict ${open.length ? "wrong" : "right"}` }, el("p", {}, `${summary}.`)),
    el("p", {}, "A mutant is one small change of the model's source or rule data. The vector files kill it, or it is proved that it changes no result; one that no model can be built with is refused, and counts as neither."),
    open.length > 0 && [el("h2", {}, "Open"), el("ul", { class: "mutants" }, open.map(openMutant))],
    el("h2", {}, "By conversion"),
    el("div", { class: "scroll" }, countsTable(counts)),
    equivalent.length > 0 && [el("h2", {}, "Proved equivalent"), el("ul", { class: "mutants" }, equivalent.map(equivalentMutant))],
  );
}

function openMutant([conversion, mutant, where, what, fate, detail]) {
  return el("li", {}, badge(fate === "survives" ? "r" : "u", fate), " ", conversionLink(conversion), " ", el("code", {}, mutant), ` (${where}): ${what}`, detail && `; ${detail}`);
}

function equivalentMutant([mutant, where, what, proofs]) {
  return el(
    "li",
    {},
    el("code", {}, mutant),
    ` (${where}): ${what}`,
    proofs.map(([detail, digest, names]) =>
      el("details", {}, el("summary", {}, detail, digest && [", query ", el("code", {}, digest)], `: ${counted(names.length, "conversion")}`), names.map((name) => [conversionLink(name), " "])),
    ),
  );
}

function conversionLink(name) {
  return el("a", { href: address(name) }, el("code", {}, name));
}

function countsTable(counts) {
  const heads = ["conversion", ...FATES].map((text) => el("th", { scope: "col" }, text));
  const rows = Object.entries(counts).map(([name, numbers]) =>
    el("tr", {}, el("th", { scope: "row" }, conversionLink(name)), numbers.map((number) => el("td", {}, number ? number.toLocaleString("en") : "\u00b7"))),
  );
  return el("table", { class: "places counts" }, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows));
}

/** Return the counts of a conversion in a sentence. */
function mutantsOf([mutants, refused, killed, raised, ...others]) {
  const rest = FATES.slice(4).map((fate, place) => [fate, others[place]]).filter(([, number]) => number);
  const told = [`${counted(mutants, "mutant")}, ${killed.toLocaleString("en")} killed`];
  if (raised) told[0] += ` (${raised.toLocaleString("en")} by an exception)`;
  if (refused) told.push(`${refused.toLocaleString("en")} refused`);
  told.push(...rest.map(([fate, number]) => `${number.toLocaleString("en")} ${fate}`));
  return [el("h2", {}, "Mutants"), el("p", {}, told.join(", "), ". ", el("a", { href: "#/mutants" }, "All mutants"))];
}
