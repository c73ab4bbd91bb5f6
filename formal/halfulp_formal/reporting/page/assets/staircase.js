// The plot of a staircase: horizontal steps, an open or closed circle at each end, the exact value dashed, the given number a ring.

const PLOT = { width: 560, height: 310, left: 172, right: 18, top: 34, bottom: 46 };

/** Return a linear map from a range of numbers to a range of places. */
function scale([low, high], [from, to]) {
  return (value) => from + ((value - low) / (high - low || 1)) * (to - from);
}

/** Return the figure of a staircase: the plot, its caption, and the same as a table. */
function staircaseFigure(curve) {
  return el(
    "figure",
    { class: "staircase" },
    el("div", { class: "scroll" }, plotOf(curve)),
    el("figcaption", {}, captionOf(curve)),
    el("details", {}, el("summary", {}, "The steps as a table"), tableOf(curve)),
  );
}

function captionOf(curve) {
  const code = curve.steps[curve.hit][3];
  const exact = curve.diagonal === null ? "" : " The dashed line is the exact value.";
  return (
    `What the model makes of the numbers round the given one, which gets ${code}. Lengths are in units of u = ${curve.unit}, ` +
    `counted from it. A filled end belongs to its step, an open one does not.${exact}`
  );
}

function tableOf(curve) {
  const ends = (step) => `${step[4] === false ? "after" : "from"} ${signedText(step[0])} u ${step[5] === false ? "to before" : "to"} ${signedText(step[1])} u`;
  return el(
    "table",
    { class: "steps" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "numbers"), el("th", { scope: "col" }, "result"))),
    el(
      "tbody",
      {},
      curve.steps.map((step, place) =>
        el("tr", { class: place === curve.hit ? "hit" : null }, el("td", {}, ends(step)), el("td", {}, el("code", {}, step[3]), place === curve.hit ? " (the given number)" : "")),
      ),
    ),
  );
}

/** Return a number with its sign. */
function signedText(value) {
  return value > 0 ? `+${value}` : String(value).replace("-", "\u2212");
}

/** Return the drawing. */
function plotOf(curve) {
  const { steps } = curve;
  const heights = steps.map((step) => step[2]).filter((height) => height !== null);
  const range = heights.length ? [Math.min(...heights), Math.max(...heights)] : [0, 1];
  const pad = (range[1] - range[0]) * 0.08 || 1;
  const right = PLOT.width - PLOT.right;
  const base = PLOT.height - PLOT.bottom;
  const x = scale([steps[0][0], steps[steps.length - 1][1]], [PLOT.left, right]);
  const y = scale([range[0] - pad, range[1] + pad], [base, PLOT.top]);
  const level = (step) => (step[2] === null ? PLOT.top - 16 : y(step[2]));
  const title = `Staircase: the given number gets ${steps[curve.hit][3]}`;
  return svg(
    "svg",
    { viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, role: "img", "aria-label": title, class: "plot" },
    svg("title", {}, title),
    svg("rect", { class: "ground", x: PLOT.left, y: PLOT.top - 24, width: right - PLOT.left, height: base - PLOT.top + 24 }),
    heightLabels(steps, level, right),
    placeLabels(curve, x, base),
    curve.diagonal === null ? null : diagonalOf(curve, x, y),
    steps.slice(1).map((step, place) => {
      const at = x((steps[place][1] + step[0]) / 2);
      return svg("line", { class: "jump", x1: at, x2: at, y1: level(steps[place]), y2: level(step) });
    }),
    steps.map((step) => svg("line", { class: "step", x1: x(step[0]), x2: x(step[1]), y1: level(step), y2: level(step) })),
    steps.map((step) => [endOf(step[4], x(step[0]), level(step)), endOf(step[5], x(step[1]), level(step))]),
    svg("line", { class: "drop", x1: x(0), x2: x(0), y1: level(steps[curve.hit]), y2: base }),
    svg("circle", { class: "hit", cx: x(0), cy: level(steps[curve.hit]), r: 7 }),
  );
}

/** Return the circle at the end of a step, none where it is not known whose the end is. */
function endOf(belongs, cx, cy) {
  return belongs === null ? null : svg("circle", { class: belongs ? "closed" : "open", cx, cy, r: 3.4 });
}

/** Return the line of exact values. */
function diagonalOf(curve, x, y) {
  const { steps, diagonal } = curve;
  const heights = steps.map((step) => step[2]).filter((height) => height !== null);
  const low = Math.max(steps[0][0], Math.min(...heights) - diagonal);
  const high = Math.min(steps[steps.length - 1][1], Math.max(...heights) - diagonal);
  if (!(low < high)) return null;
  return svg("line", { class: "exact", x1: x(low), y1: y(low + diagonal), x2: x(high), y2: y(high + diagonal) });
}

/** Return code and value beside each level, as many as find room. */
function heightLabels(steps, level, right) {
  const labels = [];
  let last = null;
  const byLevel = [...new Map(steps.map((step) => [level(step), step[3]]))].sort((one, two) => one[0] - two[0]);
  for (const [at, text] of byLevel) {
    if (last !== null && at - last < 15) continue;
    last = at;
    labels.push(
      svg("line", { class: "grid", x1: PLOT.left, x2: right, y1: at, y2: at }),
      svg("text", { class: "label", x: PLOT.left - 8, y: at + 4, "text-anchor": "end" }, text.length > 23 ? `${text.slice(0, 22)}\u2026` : text),
    );
  }
  return labels;
}

/** Return the marks of the horizontal axis: whole units where there are few, the given number always. */
function placeLabels(curve, x, base) {
  const ticks = [[0, "given"]];
  for (let unit = 1; curve.reach && unit <= curve.reach; unit += 1) {
    if (unit < curve.reach || x(unit) - x(0) > 60) ticks.push([unit, `+${unit} u`], [-unit, `\u2212${unit} u`]);
  }
  return ticks
    .filter(([at]) => at >= curve.steps[0][0] && at <= curve.steps[curve.steps.length - 1][1])
    .map(([at, text]) => [
      svg("line", { class: "tick", x1: x(at), x2: x(at), y1: base, y2: base + 6 }),
      svg("text", { class: at ? "label" : "label strong", x: x(at), y: base + 21, "text-anchor": "middle" }, text),
    ]);
}
