// Winning chances over the match: one line a seat, a point for every judged decision, deals as ticks.

const BOX = { width: 380, height: 150, left: 42, right: 34, top: 8, bottom: 8 };
const GAP = 13;

/** Draw the lines; returns what moves the cursor to a place. `go` is called with the decision tapped. */
export function drawChances(root, found, { svgNode }, go) {
  const points = found.deals.flatMap((deal) => [
    { deal: deal.deal, step: 0, chances: deal.chances, begins: true },
    ...deal.decisions.map(({ step, chances }) => ({ deal: deal.deal, step, chances })),
  ]);
  const last = Math.max(1, points.length);
  const x = (index) => BOX.left + (index / last) * (BOX.width - BOX.left - BOX.right);
  const y = (chance) => BOX.top + (1 - chance) * (BOX.height - BOX.top - BOX.bottom);
  const svg = svgNode("svg", { viewBox: `0 0 ${BOX.width} ${BOX.height}`, "aria-hidden": "true" });
  for (const mark of [0, 0.5, 1]) {
    const across = { x1: BOX.left, x2: BOX.width - BOX.right, y1: y(mark), y2: y(mark) };
    svg.append(svgNode("line", { class: "grid", ...across }));
    svg.append(label(svgNode, BOX.left - 4, y(mark) + 4, `${100 * mark} %`, "axis"));
  }
  points.forEach(({ begins, deal }, index) => {
    if (begins && deal % every(found.deals.length) === 0)
      svg.append(svgNode("line", { class: "tick", x1: x(index), x2: x(index), y1: y(0), y2: y(0) + 4 }));
  });
  const upright = { x1: 0, x2: 0, y1: BOX.top, y2: BOX.height - BOX.bottom };
  const cursor = svgNode("line", { class: "cursor", ...upright });
  svg.append(cursor);
  const ends = found.seats.map(({ seat, result }) => ({ seat, y: y(result) }));
  for (const { seat } of found.seats) {
    const path = points.map(
      ({ chances }, index) => `${index ? "L" : "M"}${round(x(index))} ${round(y(chances[seat]))}`,
    );
    path.push(`L${round(x(last))} ${round(y(found.seats[seat].result))}`);
    svg.append(svgNode("path", { class: `race-line seat-${seat}`, d: path.join("") }));
  }
  for (const end of spread(ends))
    svg.append(
      label(svgNode, BOX.width - BOX.right + 6, end.y + 4, String(end.seat), `end seat-${end.seat}`),
    );
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * BOX.width;
    const part = (at - BOX.left) / (BOX.width - BOX.left - BOX.right);
    const index = Math.round(part * last);
    go(points[Math.max(0, Math.min(points.length - 1, index))]);
  });
  root.replaceChildren(svg);
  return ({ deal, step }) => {
    const index = points.findLastIndex((one) => one.deal < deal || (one.deal === deal && one.step <= step));
    cursor.setAttribute("transform", `translate(${round(x(Math.max(0, index)))} 0)`);
  };
}

const every = (deals) => (deals > 60 ? 10 : deals > 20 ? 5 : 1);
const round = (value) => Math.round(value * 10) / 10;

function label(svgNode, x, y, words, className) {
  const node = svgNode("text", { x, y, class: className });
  node.textContent = words;
  return node;
}

/** Push labels apart, downwards, and back up where they would leave the picture. */
function spread(items) {
  const sorted = items.sort((a, b) => a.y - b.y);
  sorted.forEach((item, index) => {
    if (index) item.y = Math.max(item.y, sorted[index - 1].y + GAP);
  });
  const over = sorted.at(-1).y - (BOX.height - BOX.bottom);
  if (over > 0) for (const item of sorted.toReversed()) item.y -= over;
  return sorted;
}
