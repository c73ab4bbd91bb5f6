// Making elements: text is always text, so nothing in the data can become markup.

const SVG = "http://www.w3.org/2000/svg";

/** Return an element with attributes and children; null, undefined and false attributes and children are left out. */
function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Return an SVG element. */
function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Put other children into an element. */
function show(node, ...children) {
  node.replaceChildren();
  fill(node, {}, children);
}

/** Return the element of an id. */
function byId(id) {
  return document.getElementById(id);
}

/** Return the mark of a state: a coloured shape, its meaning beside it for those who do not see it. */
function mark(state, size = "") {
  return el("span", { class: `s ${state} ${size}`, role: "img", "aria-label": STATES[state] });
}

/** Return a state in words with its mark. */
function badge(state, text = STATES[state]) {
  return el("span", { class: `badge ${state}` }, el("span", { class: `s ${state}`, "aria-hidden": "true" }), text);
}

/** Return text in which `words between backticks` are code. */
function withCode(text) {
  return text.split("`").map((part, place) => (place % 2 ? el("code", {}, part) : part));
}

/** Return a number with its noun. */
function counted(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}
