// The part of the URL behind the #: `deal=3&step=17&seat=1&view=seat`. Unknown keys are ignored.

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
