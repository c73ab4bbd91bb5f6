// The data of the page as objects: conversions, each with its obligations.

const DATA = JSON.parse(byId("data").textContent);
const STATES = DATA.states;

const conversions = DATA.conversions.map(([name, family, card, line, column, rule, kinds, letters, how, example]) => ({
  name,
  family,
  card: DATA.texts[card],
  line: DATA.texts[line],
  column: DATA.texts[column],
  rule: rule.map((number) => DATA.rules[number]),
  kinds: DATA.lists[kinds],
  letters,
  how: DATA.lists[how],
  example: example && {
    stages: example[0].map((number) => DATA.stages[number]),
    curve: DATA.curves[example[1]],
    command: `halfulp explain ${name} ${DATA.texts[example[2]]}`,
  },
}));

const conversionsByName = new Map(conversions.map((conversion) => [conversion.name, conversion]));

/** Every obligation, in the order of the catalogue. */
const obligations = [];
for (const conversion of conversions) {
  conversion.obligations = conversion.kinds.map((number, place) => {
    const [kind, sentence, source] = DATA.kinds[number];
    const obligation = {
      number: obligations.length,
      conversion,
      kind,
      name: `${conversion.name}.${kind}`,
      sentence,
      source,
      state: conversion.letters[place],
      how: DATA.texts[conversion.how[place]],
    };
    obligation.words = `${obligation.name} ${sentence}`.toLowerCase();
    obligations.push(obligation);
    return obligation;
  });
}

/** The finding that an obligation belongs to, as [finding's number, whether it is the proof of the condition]. */
const findingOf = new Map();
DATA.findings.forEach((finding, number) => {
  for (const [conversion] of finding.places) {
    findingOf.set(`${conversion}.${finding.key}`, [number, false]);
    findingOf.set(`${conversion}.${finding.key}_exactly`, [number, true]);
  }
});

/** Return the address of a conversion's page, or of an obligation on it. */
function address(conversion, kind = "") {
  return `#/c/${conversion}${kind ? `/${kind}` : ""}`;
}
