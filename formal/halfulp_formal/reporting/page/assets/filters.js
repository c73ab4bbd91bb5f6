// What is looked for: words, a family, a kind, verdicts. Kept in the address, so that a view can be sent to somebody.

const NOTHING = { q: "", family: "", kind: "", states: "" };
let wanted = { ...NOTHING };

/** Tell whether anything is looked for. */
function isFiltering() {
  return Object.values(wanted).some(Boolean);
}

/** Return the obligations that are looked for, as a list of booleans by number. */
function matching() {
  const words = wanted.q.toLowerCase().split(/\s+/).filter(Boolean);
  return obligations.map(
    (each) =>
      (!wanted.family || String(each.conversion.family) === wanted.family) &&
      (!wanted.kind || each.kind === wanted.kind) &&
      (!wanted.states || wanted.states.includes(each.state)) &&
      words.every((word) => each.words.includes(word)),
  );
}

/** Return the address of the map with what is looked for. */
function filterAddress() {
  const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value));
  return query.size ? `#/?${query}` : "#/";
}

/** Take what is looked for from an address. */
function readFilters(query) {
  const found = new URLSearchParams(query);
  wanted = Object.fromEntries(Object.keys(NOTHING).map((name) => [name, found.get(name) || ""]));
  showFilters();
}

/** Show in the form what is looked for. */
function showFilters() {
  if (byId("q").value !== wanted.q) byId("q").value = wanted.q;
  byId("family").value = wanted.family;
  byId("kind").value = wanted.kind;
  for (const button of document.querySelectorAll(".state")) {
    button.setAttribute("aria-pressed", String(wanted.states.includes(button.dataset.state)));
  }
}

/** Look for something else, and keep the address in step. */
function look(changes) {
  wanted = { ...wanted, ...changes };
  showFilters();
  history.replaceState(null, "", filterAddress());
  updateMap();
}

/** Fill the lists of the form and listen to it. */
function startFilters() {
  byId("family").append(
    el("option", { value: "" }, "every family"),
    ...DATA.families.map(([name], number) => el("option", { value: number }, name)),
  );
  const kinds = [...new Set(DATA.kinds.map(([name]) => name))].sort();
  byId("kind").append(el("option", { value: "" }, "every kind"), ...kinds.map((name) => el("option", { value: name }, name)));
  let timer = 0;
  byId("q").addEventListener("input", (event) => {
    clearTimeout(timer);
    timer = setTimeout(() => look({ q: event.target.value.trim() }), 120);
  });
  for (const name of ["family", "kind"]) {
    byId(name).addEventListener("change", (event) => look({ [name]: event.target.value }));
  }
  for (const button of document.querySelectorAll(".state")) {
    button.addEventListener("click", () => {
      const { state } = button.dataset;
      const { states } = wanted;
      look({ states: states.includes(state) ? states.replace(state, "") : states + state });
    });
  }
  document.querySelector(".filters").addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      if (byId("page-map").hidden) location.hash = filterAddress();
      setTimeout(() => byId("q").focus());
    }
    if (event.key === "Escape" && !byId("page-map").hidden && isFiltering()) look({ ...NOTHING });
  });
}
