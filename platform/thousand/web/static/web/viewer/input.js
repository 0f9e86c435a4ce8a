// Keys and taps, as commands. Arrow keys work on the whole page; letters only with the focus in the viewer.

const FIELDS = "input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]";
const OWN_ARROWS = "input, textarea, select, [contenteditable], [role=tab], [role=region], dialog, .marks-list";
const OWN_SPACE = "button, a, input, select, textarea, summary, dialog";
const TAP = 8;

const ARROWS = {
  ArrowLeft: (event) => (event.shiftKey ? ["stretch", -1] : ["step", -1]),
  ArrowRight: (event) => (event.shiftKey ? ["stretch", 1] : ["step", 1]),
};
const INSIDE = {
  ArrowUp: () => ["deal", -1],
  ArrowDown: () => ["deal", 1],
  PageUp: () => ["deal", -1],
  PageDown: () => ["deal", 1],
  Home: (event) => (event.shiftKey ? ["matchStart"] : ["dealStart"]),
  End: (event) => (event.shiftKey ? ["matchEnd"] : ["dealEnd"]),
};
const LETTERS = {
  a: ["view", "all"],
  s: ["view", "seat"],
  p: ["view", "public"],
  e: ["mark", 1],
  E: ["mark", -1],
  "+": ["speed", 1],
  "=": ["speed", 1],
  "-": ["speed", -1],
  c: ["copy"],
  t: ["transcript"],
  "?": ["help"],
};

/** The command a key means, or null: `[name, argument]`. */
export function keyCommand(event, root, players) {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return null;
  const target = event.target instanceof Element ? event.target : document.body;
  const inside = root.contains(target);
  if (event.key === "Escape") return inside ? ["escape"] : null;
  if (ARROWS[event.key]) return target.closest(OWN_ARROWS) ? null : ARROWS[event.key](event);
  if (!inside) return null;
  if (INSIDE[event.key]) return target.closest(OWN_ARROWS) ? null : INSIDE[event.key](event);
  if (target.closest(FIELDS) || target.closest("dialog")) return null;
  if (event.key === " ") return target.closest(OWN_SPACE) ? null : ["toggle"];
  if (/^\d$/.test(event.key) && Number(event.key) < players) return ["seat", Number(event.key)];
  return LETTERS[event.key] ?? LETTERS[event.key.toLowerCase()] ?? null;
}

export function listen({ root, felt, players, obey }) {
  document.addEventListener("keydown", (event) => {
    const command = keyCommand(event, root, players);
    if (!command) return;
    event.preventDefault();
    obey(command[0], command[1], { held: event.repeat });
  });
  root.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (!button) return;
    const { do: name, to } = button.dataset;
    obey(name, to === undefined || Number.isNaN(Number(to)) ? to : Number(to), {});
  });
  listenForTaps(felt, obey);
}

/** A tap on the right or left half of the felt steps; a drag scrolls the page and does nothing here. */
function listenForTaps(felt, obey) {
  let start = null;
  felt.addEventListener("pointerdown", (event) => {
    start = event.isPrimary && event.button === 0 && !event.target.closest("a, button") ? event : null;
  });
  felt.addEventListener("pointercancel", () => (start = null));
  felt.addEventListener("pointerup", (event) => {
    if (!start || event.pointerId !== start.pointerId) return;
    const moved = Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY);
    start = null;
    if (moved > TAP || String(getSelection())) return;
    const box = felt.getBoundingClientRect();
    obey("step", event.clientX > box.left + box.width / 2 ? 1 : -1, {});
  });
}
