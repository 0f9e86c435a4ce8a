// Where the reader is and wants to go: the part of the URL behind the #, keys, and taps on the felt.

const VIEWS = ["all", "seat", "public"];

/** Read a hash against what exists; `note` names a deal that does not. */
export function readAddress(hash, deals, players) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const whole = (name) => (/^\d{1,6}$/.test(given.get(name) ?? "") ? Number(given.get(name)) : null);
  const place = { deal: 0, step: 0, seat: 0, view: "all", missing: null };
  const deal = whole("deal");
  if (deal !== null && deal >= deals.length) place.missing = deal;
  place.deal = Math.min(deal ?? 0, deals.length - 1);
  const last = deals[place.deal].events.length - 1;
  place.step = given.get("step") === "end" ? last : Math.min(whole("step") ?? 0, last);
  if (whole("seat") !== null && whole("seat") < players) place.seat = whole("seat");
  if (VIEWS.includes(given.get("view"))) place.view = given.get("view");
  return place;
}

export function writeAddress({ deal, step, seat, view }) {
  const parts = [`deal=${deal}`, `step=${step}`];
  if (seat) parts.push(`seat=${seat}`);
  if (view !== "all") parts.push(`view=${view}`);
  return `#${parts.join("&")}`;
}

const PAUSE = 250;
let waiting = null;
let timer = null;

function flush() {
  timer = null;
  if (waiting === null) return;
  history.replaceState(null, "", waiting);
  waiting = null;
  timer = setTimeout(flush, PAUSE);
}

/** Put a place into the address bar: a step replaces (at most four times a second), a jump adds to history. */
export function rememberAddress(hash, jump) {
  if (jump) {
    clearTimeout(timer);
    flush();
    if (hash !== location.hash) history.pushState(null, "", hash);
    return;
  }
  waiting = hash;
  if (timer === null) flush();
}

const FIELDS =
  "input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]";
const OWN_ARROWS =
  "input, textarea, select, [contenteditable], [role=tab], [role=region], dialog, .marks-list";
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
  if (event.key === "Escape") return inside && !target.closest("dialog") ? ["escape"] : null;
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
