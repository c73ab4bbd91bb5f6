// Findings: sentences that the normative code makes false, and choices that differ, each with its witnesses.

/** Show the findings. */
function showFindings() {
  const page = byId("page-findings");
  if (page.childElementCount) return;
  const parts = [
    ["finding", "Findings", "Sentences of the specification that its own normative code makes false. The model follows the code."],
    ["difference", "Where choices of a scale differ", "No specification is at fault here: quantisers choose the exponent of a block in several ways."],
  ];
  for (const [kind, title, text] of parts) {
    const own = DATA.findings.map((finding, number) => [finding, number]).filter(([finding]) => finding.kind === kind);
    page.append(el(kind === "finding" ? "h1" : "h2", { tabindex: -1 }, title), el("p", {}, text), ...own.map(findingArticle));
  }
}

/** Return a finding. */
function findingArticle([finding, number]) {
  const states = finding.places.map(([, sentence]) => sentence);
  const conditions = finding.places.map(([, , condition]) => condition);
  return el(
    "article",
    { class: "finding", id: `f-${number}` },
    el("header", {}, el("h3", { tabindex: -1 }, finding.title), badge(worstAmong(states))),
    el("blockquote", {}, finding.sentence, el("cite", {}, finding.source)),
    el(
      "dl",
      { class: "facts" },
      el("dt", {}, finding.kind === "finding" ? "normative code" : "difference"),
      el("dd", {}, finding.code),
      el("dt", {}, "fails exactly where"),
      el("dd", {}, finding.condition, " ", badge(worstAmong(conditions))),
    ),
    el(
      "details",
      { open: finding.places.length <= 6 },
      el("summary", {}, counted(finding.places.length, "conversion"), " with the smallest witness of each"),
      el("div", { class: "scroll" }, placesTable(finding)),
    ),
  );
}

function placesTable(finding) {
  const heads = ["conversion", "sentence", "condition", "smallest witness"].map((text) => el("th", { scope: "col" }, text));
  const rows = finding.places.map(([conversion, sentence, condition, witness]) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, el("a", { href: address(conversion, finding.key) }, el("code", {}, conversion))),
      el("td", {}, mark(sentence)),
      el("td", {}, mark(condition)),
      el("td", { class: "smallest" }, withCode(witness)),
    ),
  );
  return el("table", { class: "places" }, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows));
}

/** Return the state that needs attention most. */
function worstAmong(states) {
  return [...WORST].find((state) => states.includes(state)) || "n";
}
