// The page of a conversion: its rule, its obligations, and the witnesses of those that are refuted.

/** Show a conversion; true where there is one of that name. */
function showConversion(name) {
  const conversion = conversionsByName.get(name);
  if (!conversion) return false;
  const place = conversions.indexOf(conversion);
  const beside = conversions.filter((each) => each.card === conversion.card && each.line === conversion.line);
  show(
    byId("page-conversion"),
    el(
      "nav",
      { class: "crumbs", "aria-label": "Place" },
      el("a", { href: filterAddress() }, "Map"),
      " › ",
      DATA.families[conversion.family][0],
      el("span", { class: "turn" }, turn("‹ before", conversions[place - 1]), turn("next ›", conversions[place + 1])),
    ),
    el("h1", { tabindex: -1 }, el("code", {}, conversion.name)),
    el("p", { class: "tally" }, tallyOf(conversion)),
    beside.length > 1 && variantsOf(conversion, beside),
    conversion.rule.length > 0 && ruleOf(conversion.rule),
    conversion.example && exampleOf(conversion.example),
    el("h2", {}, "Obligations"),
    conversion.obligations.map(obligationOf),
    DATA.mutants && DATA.mutants.conversions[conversion.name] && mutantsOf(DATA.mutants.conversions[conversion.name]),
  );
  return true;
}

function turn(text, conversion) {
  return conversion ? el("a", { href: address(conversion.name), title: conversion.name }, text) : null;
}

/** Return how many obligations are in each state. */
function tallyOf(conversion) {
  return Object.keys(STATES)
    .map((state) => [state, conversion.obligations.filter((each) => each.state === state).length])
    .filter(([, count]) => count)
    .map(([state, count]) => badge(state, `${count} ${STATES[state]}`));
}

/** Return links to the variants of the same conversion. */
function variantsOf(conversion, beside) {
  return el(
    "nav",
    { class: "variants", "aria-label": "Variants" },
    beside.map((each) =>
      el("a", { href: address(each.name), "aria-current": each === conversion ? "page" : null }, each.column, mark(worstOf(each), "small")),
    ),
  );
}

/** The states, what needs attention most first. */
const WORST = "erxunfp";

/** Return the state of a conversion's obligation that needs attention most. */
function worstOf(conversion) {
  return [...WORST].find((state) => conversion.letters.includes(state)) || "p";
}

function ruleOf(lines) {
  return [el("h2", {}, "Rule"), el("dl", { class: "facts rule" }, lines.map(([label, text]) => [el("dt", {}, label), el("dd", {}, text)]))];
}

/** Return a case that shows how the conversion rounds. */
function exampleOf(example) {
  return [el("h2", {}, "A case, stage by stage"), el("article", { class: "example" }, caseOf("", example))];
}

/** Return an obligation: verdict, sentence and source, how it was decided, and its witness. */
function obligationOf(obligation) {
  const found = DATA.cases[obligation.name];
  const [finding, isCondition] = findingOf.get(obligation.name) || [];
  return el(
    "article",
    { class: `obligation ${obligation.state}`, id: `o-${obligation.kind}` },
    el("header", {}, el("h3", { tabindex: -1 }, obligation.kind), badge(obligation.state)),
    el("blockquote", {}, obligation.sentence, el("cite", {}, obligation.source)),
    finding !== undefined && findingLink(obligation, finding, isCondition),
    found && caseOf("Witness", found),
    el("footer", {}, obligation.how && el("p", { class: "how" }, obligation.how), commandOf("Prove", `halfulp prove ${obligation.name}`)),
  );
}

/** Return where a refuted sentence fails, and the proof of that. */
function findingLink(obligation, number, isCondition) {
  const finding = DATA.findings[number];
  const exactly = obligation.conversion.obligations.find((each) => each.kind === `${finding.key}_exactly`);
  return el(
    "p",
    { class: "condition" },
    isCondition ? null : ["It fails exactly where ", finding.condition, " ", exactly && badge(exactly.state), ". "],
    el("a", { href: `#/findings/${number}` }, `The finding: ${finding.title}`),
  );
}
