// Which page is shown: the part of the address behind #.

const PAGES = ["map", "conversion", "findings", "mutants", "about"];

/** How far the map was scrolled when it was left. */
let mapScroll = 0;

/** Show the page of the address, and go to the part of it that is meant. */
function route(isFirst) {
  const [path, query] = decodeURI(location.hash.replace(/^#\/?/, "")).split("?");
  const [page, name, part] = path.split("/");
  if (!byId("page-map").hidden) mapScroll = scrollY;
  let shown = page === "c" ? "conversion" : PAGES.includes(page) ? page : "map";
  if (shown === "conversion" && !showConversion(name)) shown = "map";
  if (shown === "mutants" && !DATA.mutants) shown = "map";
  if (shown === "findings") showFindings();
  if (shown === "mutants") showMutants();
  for (const each of PAGES) byId(`page-${each}`).hidden = each !== shown;
  for (const link of document.querySelectorAll("[data-page]")) {
    if (link.dataset.page === shown) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (shown === "map") {
    readFilters(query);
    updateMap();
  }
  document.title = shown === "conversion" ? `${name}: halfulp` : "halfulp: proofs";
  goTo(shown, shown === "findings" ? name && `f-${name}` : part && `o-${part}`, isFirst);
}

/** Scroll and move the focus to what the address means, so that the keyboard and screen readers go on from there. */
function goTo(shown, id, isFirst) {
  const target = id ? byId(id) : null;
  if (target) {
    for (const each of document.querySelectorAll(".aimed")) each.classList.remove("aimed");
    target.classList.add("aimed");
    target.scrollIntoView();
    target.querySelector("h3").focus({ preventScroll: true });
    return;
  }
  if (isFirst) return;
  scrollTo(0, shown === "map" ? mapScroll : 0);
  const heading = byId(`page-${shown}`).querySelector("h1[tabindex]") || byId("main");
  heading.focus({ preventScroll: true });
}

/** Open what is folded before printing, so that paper has it. */
function unfold() {
  for (const each of document.querySelectorAll(".page:not([hidden]) details")) each.open = true;
}

startFilters();
startMap();
route(true);
addEventListener("hashchange", () => route(false));
addEventListener("beforeprint", unfold);
document.documentElement.dataset.ready = "true";
