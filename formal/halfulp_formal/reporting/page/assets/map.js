// The map: a family is a section, a mode a card in it, an obligation a cell. Cards are made when their section opens.

/** A card with more columns has the whole width. */
const WIDE_FROM = 15;
/** Larger families start closed. */
const OPEN_AT_MOST = 2000;
const EXACTLY = "_exactly";
const LISTED_AT_ONCE = 50;
/** Cells by obligation number, once they are made. */
const cells = [];

/** Make the sections of all families. */
function startMap() {
  DATA.families.forEach(([name, group], number) => {
    const own = obligations.filter((each) => each.conversion.family === number);
    const section = el(
      "details",
      { class: "family", "data-family": number },
      el("summary", {}, el("h2", {}, name), el("span", { class: "share" }), el("span", { class: "told" })),
      el("p", { class: "group" }, GROUPS[group] || group),
      el("div", { class: "cards" }),
    );
    section.addEventListener("toggle", () => section.open && makeCards(section, number));
    section.addEventListener("keydown", moveInCard);
    for (const type of ["mouseover", "focusin"]) section.addEventListener(type, (event) => readOut(event.target));
    byId("map").append(section);
    section.obligations = own;
    if (own.length <= OPEN_AT_MOST) section.open = true;
  });
}

const GROUPS = {
  default: "Proved in every run.",
  all: "Proved with --all, or by name.",
  nightly: "Proved with --nightly, or by name.",
};

/** Make the cards of a family, once. */
function makeCards(section, family) {
  const place = section.querySelector(".cards");
  if (place.childElementCount) return;
  const cards = new Map();
  for (const each of conversions.filter((conversion) => conversion.family === family)) {
    if (!cards.has(each.card)) cards.set(each.card, []);
    cards.get(each.card).push(each);
  }
  for (const [title, members] of cards) place.append(makeCard(title, members));
  showMatches(section);
}

/** Return a card: lines and kinds downwards, variants across. */
function makeCard(title, members) {
  const columns = [...new Set(members.map((each) => each.column))];
  const lines = new Map();
  for (const conversion of members) {
    for (const each of conversion.obligations) {
      const key = `${conversion.line}\n${each.kind}`;
      if (!lines.has(key)) lines.set(key, new Map());
      lines.get(key).set(conversion.column, each);
    }
  }
  const order = [...new Set(members.map((each) => each.line))];
  const rows = [...lines.keys()].sort((one, two) => order.indexOf(one.split("\n")[0]) - order.indexOf(two.split("\n")[0]));
  const heads = columns.map((column) => el("th", { scope: "col" }, el("span", {}, column || " ")));
  const table = el(
    "table",
    {},
    el("thead", {}, el("tr", {}, el("td", {}), heads)),
    el("tbody", {}, rows.map((key, place) => makeRow(key, columns, lines.get(key), rows[place - 1]))),
  );
  const first = table.querySelector("a");
  if (first) first.tabIndex = 0;
  return el("section", { class: columns.length >= WIDE_FROM ? "card wide" : "card" }, el("h3", {}, title), el("div", { class: "scroll" }, table));
}

/** Return a row of a card; what its head shares with the one above it is read out, but not shown again. */
function makeRow(key, columns, found, above) {
  const [line, kind] = key.split("\n");
  const [lineAbove] = (above || "\n").split("\n");
  // the proof of a finding's condition stands below the finding itself
  const isCondition = kind.endsWith(EXACTLY);
  const told = isCondition ? EXACTLY.slice(1) : line && kind === "equivalent" ? "" : kind;
  const isUnder = isCondition || (line && line === lineAbove);
  const head = el(
    "th",
    { scope: "row", class: isUnder ? "under" : null, title: line ? `${line} ${kind}` : kind },
    line && (line === lineAbove ? el("span", { class: "unseen" }, `${line} `) : el("b", {}, `${line} `)),
    told,
  );
  return el("tr", {}, head, columns.map((column) => el("td", {}, found.has(column) && makeCell(found.get(column)))));
}

/** Return the cell of an obligation, a link to it. */
function makeCell(obligation) {
  const cell = el("a", {
    class: `s ${obligation.state}`,
    href: address(obligation.conversion.name, obligation.kind),
    tabindex: -1,
    "aria-label": `${obligation.name}: ${STATES[obligation.state]}`,
    "data-number": obligation.number,
  });
  cells[obligation.number] = cell;
  return cell;
}

/** Move with the arrow keys from cell to cell of a card; the tabulator goes from card to card. */
function moveInCard(event) {
  const cell = event.target.closest("td > a.s");
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-1e3, 0], End: [1e3, 0] }[event.key];
  if (!cell || !step || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  const rows = [...cell.closest("tbody").rows].map((row) => [...row.cells].map((each) => each.querySelector("a.s")));
  let y = rows.findIndex((row) => row.includes(cell));
  let x = rows[y].indexOf(cell);
  let next = null;
  if (Math.abs(step[0]) > 1) {
    const row = rows[y].filter(Boolean);
    next = step[0] < 0 ? row[0] : row[row.length - 1];
  }
  while (!next) {
    x += step[0];
    y += step[1];
    if (!rows[y] || x < 0 || x >= rows[y].length) return;
    next = rows[y][x];
  }
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

/** Say in the strip at the bottom which obligation the pointer or the focus is on. */
function readOut(target) {
  const cell = target.closest("td > a.s");
  const readout = byId("readout");
  readout.classList.toggle("on", Boolean(cell));
  if (!cell) return;
  const each = obligations[cell.dataset.number];
  show(readout, mark(each.state), el("code", {}, each.name), el("span", {}, `${STATES[each.state]}. ${each.sentence}`));
}

let found = [];

/** Show what is looked for: dim the rest, count, and list the matches. */
function updateMap() {
  found = matching();
  for (const section of byId("map").children) {
    const count = section.obligations.reduce((sum, each) => sum + found[each.number], 0);
    section.hidden = isFiltering() && !count;
    if (isFiltering() && count) section.open = true;
    showMatches(section);
    showShare(section);
  }
  const matches = obligations.filter((each) => found[each.number]);
  byId("found").textContent = isFiltering()
    ? `${counted(matches.length, "obligation")} of ${obligations.length.toLocaleString("en")}`
    : `${counted(obligations.length, "obligation")}, ${counted(conversions.length, "conversion")}`;
  show(byId("matches"), isFiltering() && matches.length > 0 && makeList(matches));
}

/** Dim the cells of a section that are not looked for, and hide cards and rows without any that are. */
function showMatches(section) {
  for (const each of section.obligations) {
    const cell = cells[each.number];
    if (cell) cell.classList.toggle("dim", !found[each.number]);
  }
  for (const part of section.querySelectorAll("tbody tr, .card")) {
    part.hidden = isFiltering() && !part.querySelector("a.s:not(.dim)");
  }
}

/** Show how many of a section's obligations are in each state, as a bar and in words. */
function showShare(section) {
  const own = section.obligations.filter((each) => found[each.number]);
  const counts = Object.keys(STATES).map((state) => [state, own.filter((each) => each.state === state).length]);
  const present = counts.filter(([, count]) => count);
  show(
    section.querySelector(".share"),
    present.map(([state, count]) => el("span", { class: `part ${state}`, style: `flex-grow: ${count}` })),
  );
  section.querySelector(".told").textContent = present
    .map(([state, count]) => `${count.toLocaleString("en")} ${STATES[state]}`)
    .join(" · ");
}

/** Return the list of matches, the first ones at once and more on demand. */
function makeList(matches) {
  const list = el("ol", { class: "list" });
  const more = el("button", { type: "button", class: "more" });
  const add = () => {
    const start = list.childElementCount;
    list.append(
      ...matches.slice(start, start + LISTED_AT_ONCE).map((each) =>
        el(
          "li",
          {},
          el("a", { href: address(each.conversion.name, each.kind) }, mark(each.state), el("code", {}, each.name)),
          el("span", { class: "sentence" }, each.sentence),
        ),
      ),
    );
    const rest = matches.length - list.childElementCount;
    more.hidden = !rest;
    more.textContent = `${Math.min(rest, LISTED_AT_ONCE)} more of ${rest.toLocaleString("en")}`;
  };
  more.addEventListener("click", add);
  add();
  return el("details", { class: "matches", open: matches.length <= LISTED_AT_ONCE }, el("summary", {}, "As a list"), list, more);
}
