// The replay viewer: one place (deal, step, seat, view) in one document, drawn whenever it changes.

import { glyph, useCyrillic } from "./cards.js";
import { Ledger } from "./ledger.js";
import {
  besideStep,
  besideStretch,
  cpuUsed,
  faultsBefore,
  nextSheet,
  picture,
  readDeals,
  stretches,
} from "./model.js";
import { Motion } from "./motion.js";
import { listen, readAddress, rememberAddress, writeAddress } from "./navigation.js";
import { loadAnalysis, Moves, sheet, Tabs } from "./panels.js";
import { bindOptions, Playback, readOptions, Sounds, SPEEDS, storeOptions } from "./playback.js";
import { DealSlider, Marks, marksOf, MatchStrip } from "./strip.js";
import { Table } from "./table.js";
import { caption, Speech, text } from "./words.js";

const PANEL_DELAY = 40;

export class Viewer {
  constructor(root, page, match) {
    Object.assign(this, { root, page, players: match.players });
    this.deals = readDeals(match);
    this.faults = faultsBefore(this.deals);
    this.options = readOptions();
    this.legal = new Map();
    this.limit = match.limits.attempts;
    this.table = new Table(this.part("stage"), {
      ...page,
      players: this.players,
      used: cpuUsed(match),
      boltLimit: match.limits.bolts,
      attemptLimit: this.limit,
    });
    this.motion = new Motion(this.part("stage"), this.part("ghosts"));
    this.speech = new Speech(this.part("live"));
    this.sounds = new Sounds();
    this.strip = new MatchStrip(this.part("strip"), this.deals);
    this.slider = new DealSlider(this.part("slider"));
    this.moves = new Moves(this.part("moves"));
    this.tabs = new Tabs(root, (name) => this.openedTab(name));
    this.marks = new Marks(this.part("marks"), marksOf(this.deals));
    this.playback = new Playback({
      current: () => this.event,
      advance: (bySheets) => (bySheets ? this.toNextSheet() : this.step(1, { playing: true })),
      changed: () => this.drawPlayButton(),
    });
    this.place = { deal: -1, step: 0, seat: 0, view: "all" };
    this.listen();
    this.go(this.readHash(), { jump: true, first: true });
  }

  part(name) {
    return this.root.querySelector(`[data-viewer="${name}"]`);
  }

  get deal() {
    return this.deals[this.place.deal];
  }

  get event() {
    return this.deal.events[this.place.step];
  }

  get last() {
    return this.deal.events.length - 1;
  }

  listen() {
    listen({
      root: this.root,
      felt: this.part("felt"),
      players: this.players,
      obey: (name, argument, how) => this.obey(name, argument, how),
    });
    addEventListener("hashchange", () => this.go(this.readHash(), { jump: true, obeyed: true }));
    addEventListener("popstate", () => this.go(this.readHash(), { jump: true, obeyed: true }));
    this.slider.input.addEventListener("input", () => this.manual({ step: Number(this.slider.input.value) }));
    this.strip.input.addEventListener("input", () =>
      this.manual({ deal: Number(this.strip.input.value), step: 0 }),
    );
    for (const radio of this.root.querySelectorAll("[name=view]"))
      radio.addEventListener("change", () => this.manual({ view: radio.value }, { jump: true }));
    this.root.addEventListener("click", (event) => this.follow(event));
    bindOptions(this.part("options-form"), this.options, () => this.applyOptions());
    const speed = this.part("speed");
    speed.addEventListener("change", () => this.setSpeed(speed.value));
    this.setSpeed(this.options.speed);
    this.wide = matchMedia("(min-width: 64rem)");
    this.wide.addEventListener("change", () => this.draw({}));
    this.applyOptions(true);
    const controls = this.part("controls");
    // On a phone the controls lie in the flow, and stick to the bottom once they are scrolled away.
    const scrolledAway = ([{ intersectionRatio, boundingClientRect, rootBounds }]) =>
      controls.classList.toggle("stuck", intersectionRatio < 1 && boundingClientRect.top < rootBounds.top);
    new IntersectionObserver(scrolledAway, { rootMargin: "-48px 0px 0px", threshold: [0, 1] }).observe(
      controls.parentElement,
    );
  }

  /** A link to a step of this match keeps seat and view, unless it opens elsewhere. */
  follow(event) {
    const link = event.target.closest('a[href^="#deal="]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const { deal, step } = readAddress(link.hash, this.deals, this.players);
    this.manual({ deal, step }, { jump: deal !== this.place.deal });
  }

  readHash() {
    return readAddress(location.hash, this.deals, this.players);
  }

  // Commands: what keys, buttons and taps ask for.

  obey(name, argument, { held = false } = {}) {
    const quick = { held };
    const commands = {
      step: () => this.manualStep(argument, quick),
      stretch: () => this.manual(besideStretch(this.deals, this.place, argument), quick),
      deal: () => this.manual({ deal: this.clampDeal(this.place.deal + argument), step: 0 }, { jump: true }),
      dealStart: () => this.manual({ step: 0 }, quick),
      dealEnd: () => this.manual({ step: this.last }, quick),
      matchStart: () => this.manual({ deal: 0, step: 0 }, { jump: true }),
      matchEnd: () =>
        this.manual(
          { deal: this.deals.length - 1, step: this.deals.at(-1).events.length - 1 },
          { jump: true },
        ),
      seat: () => this.manual({ seat: argument }, { jump: true }),
      view: () => this.manual({ view: argument }, { jump: true }),
      mark: () => this.toMark(argument),
      speed: () =>
        this.setSpeed(
          SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(this.options.speed) + argument))],
        ),
      toggle: () => (this.playback.playing ? this.playback.pause() : this.start()),
      copy: () => this.copyLink(),
      transcript: () => (this.tabs.open("moves"), this.moves.focus()),
      help: () => this.part("help").showModal(),
      options: () => this.part("options").showModal(),
      more: () => this.part("more").classList.toggle("open"),
      escape: () => this.playback.pause(),
    };
    commands[name]?.();
  }

  clampDeal(deal) {
    return Math.max(0, Math.min(this.deals.length - 1, deal));
  }

  manual(change, how = {}) {
    this.playback.pause();
    this.go({ ...this.place, ...change }, how);
  }

  manualStep(direction, how) {
    this.playback.pause();
    this.step(direction, how);
  }

  /** One step on or back, across deals, never around; false at the ends of the match. */
  step(direction, how = {}) {
    const found = besideStep(this.deals, this.place, direction);
    if (found) this.go({ ...this.place, ...found }, { animate: direction > 0 && !how.held, ...how });
    return Boolean(found);
  }

  toNextSheet() {
    const found = nextSheet(this.deals, this.place);
    if (found) this.go({ ...this.place, ...found }, { playing: true });
    return Boolean(found);
  }

  toMark(direction) {
    const found = this.marks.beside(this.place, direction);
    if (found) this.manual({ deal: found.deal, step: found.step }, { jump: true });
    else this.note(text(direction > 0 ? "no-next-mark" : "no-previous-mark"));
  }

  start() {
    const ended = this.place.deal === this.deals.length - 1 && this.place.step === this.last;
    if (ended) this.go({ ...this.place, deal: 0, step: 0 }, { jump: true });
    this.playback.play();
  }

  setSpeed(speed) {
    this.options.speed = SPEEDS.includes(speed) ? speed : "1";
    this.part("speed").value = this.options.speed;
    this.playback.speed = this.options.speed === "deals" ? "deals" : Number(this.options.speed);
    storeOptions(this.options);
  }

  async copyLink() {
    const link = location.origin + location.pathname + writeAddress(this.place);
    try {
      await navigator.clipboard.writeText(link);
      this.note(text("link-copied", this.place));
    } catch {
      this.note(text("link-is", { link }));
    }
  }

  note(words) {
    const note = this.part("note");
    note.textContent = words;
    note.hidden = false;
    this.speech.say(words, text("where", this.place));
    clearTimeout(this.noteTimer);
    this.noteTimer = setTimeout(() => (note.hidden = true), 5000);
  }

  // Drawing.

  /** Move to a place and draw it in the next frame: while a key is held, only the last place of a frame. */
  go(place, how = {}) {
    const before = this.place;
    this.place = { deal: place.deal, step: place.step, seat: place.seat, view: place.view };
    this.place.step = Math.min(place.step, this.last);
    this.pending = { ...how, jump: how.jump || this.pending?.jump, from: this.pending?.from ?? before };
    if (!how.obeyed && !how.first) rememberAddress(writeAddress(this.place), Boolean(how.jump));
    if (how.first) this.draw(this.pending);
    else this.frame ??= requestAnimationFrame(() => this.draw(this.pending));
    if (place.missing !== null && place.missing !== undefined)
      this.note(text("no-such-deal", { deal: place.missing }));
  }

  draw(how) {
    this.frame = null;
    this.pending = null;
    const { deal, step, seat, view } = this.place;
    const from = how.from ?? this.place;
    const speed = this.playback.speed === "deals" ? 8 : this.playback.speed;
    const before = this.motion.measure(Boolean(how.animate) && speed < 4);
    const now = picture(this.deal, step, this.players, this.faults[deal]);
    const parts = stretches(this.deal);
    this.table.draw(now, { view, seat, options: this.options, legal: this.legalCards() });
    const words = this.words(this.event);
    this.part("caption").textContent = words;
    if (from.deal !== deal || from.view !== view || from.seat !== seat || how.first) this.drawDeal(parts);
    this.drawSheet(now);
    this.slider.show(step, text("step-of", { step, last: this.last, words }));
    this.strip.show(deal);
    this.strip.input.setAttribute("aria-valuetext", this.dealWords());
    this.drawButtons();
    if (this.moves.deal === this.deal) this.moves.show(step);
    this.analysis?.show(this.place);
    this.motion.play(before, now, speed);
    this.sounds.play(this.event);
    this.speak(words, how);
  }

  /** Cards that could be played, by action, if the reader wants them and they have been fetched. */
  legalCards() {
    const { deal } = this.place;
    if (!this.options.legal || this.legal.has(deal)) return this.options.legal ? this.legal.get(deal) : null;
    this.legal.set(deal, null);
    fetch(`?legal=${deal}`)
      .then((answer) => answer.json())
      .then(({ cards }) => {
        this.legal.set(deal, cards);
        this.draw({});
      })
      .catch(() => this.legal.delete(deal));
    return null;
  }

  words(event) {
    const { view, seat } = this.place;
    return caption(event, { view, seat, players: this.players, limit: this.limit });
  }

  drawDeal(parts) {
    const { deal, seat, view } = this.place;
    this.part("deal-title").textContent = text("deal-title", {
      deal: this.deal.deal,
      last: this.deals.length - 1,
    });
    this.slider.useDeal(this.deal, parts);
    this.ledger?.show(deal);
    for (const radio of this.root.querySelectorAll("[name=view]")) radio.checked = radio.value === view;
    this.root.dataset.view = view;
    this.part("seat-on-view").textContent = String(seat);
    // The panels follow a moment later: while the match slider is dragged, only the last deal's are built.
    clearTimeout(this.panelTimer);
    this.panelTimer = setTimeout(() => this.drawPanels(parts), PANEL_DELAY);
  }

  drawPanels(parts) {
    const { end } = this.deal;
    this.moves.useDeal(this.deal, parts, this.place, this.players);
    this.moves.show(this.place.step);
    this.analysis?.markMoves(this.deal.deal, this.moves.links);
    this.part("sheet").replaceChildren(end ? this.sheet(end, false) : text("deal-unfinished"));
  }

  sheet(end, wide, over) {
    return sheet(end, this.page.names, { wide, limit: this.limit, over, groups: this.page.groups });
  }

  drawSheet({ end, over }) {
    const layer = this.part("sheet-layer");
    this.root.classList.toggle("at-end", Boolean(end));
    layer.hidden = !end;
    if (end) layer.replaceChildren(this.sheet(end, this.wide.matches, over && this.words(over)));
    else layer.replaceChildren();
  }

  dealWords() {
    const { deal, end } = this.deal;
    const values = { deal, last: this.deals.length - 1, seat: end?.declarer, contract: end?.contract };
    return text(end ? `strip-${end.result}` : "strip-unfinished", values);
  }

  drawButtons() {
    const { deal, step } = this.place;
    const first = deal === 0 && step === 0;
    const ended = deal === this.deals.length - 1 && step === this.last;
    // Disabled by name only: a button that has the focus keeps it at the ends of the match.
    for (const button of this.root.querySelectorAll("[data-do=step], [data-do=deal]")) {
      const back = Number(button.dataset.to) < 0;
      const off =
        button.dataset.do === "step"
          ? back
            ? first
            : ended
          : back
            ? deal === 0
            : deal === this.deals.length - 1;
      button.setAttribute("aria-disabled", String(off));
    }
    this.root.classList.toggle("ended", ended);
    this.drawPlayButton();
  }

  drawPlayButton() {
    const { playing } = this.playback;
    const ended = this.root.classList.contains("ended");
    const key = playing ? "pause" : ended ? "again" : "play";
    const button = this.part("play");
    if (button.dataset.shows === key) return;
    button.dataset.shows = key;
    button.replaceChildren(
      glyph(key),
      Object.assign(document.createElement("span"), { textContent: text(`button-${key}`) }),
    );
  }

  speak(words, { jump, playing, first }) {
    if (first) return;
    const place = text("where", this.place);
    const { options, event } = this;
    if (playing && !(options.speak && this.playback.speed <= 1) && event.event !== "deal_end") return;
    this.speech.say(jump ? `${place}. ${words}` : words, place);
  }

  // Options and panels.

  applyOptions(first = false) {
    const { options, root } = this;
    root.dataset.suits = options.suits;
    root.classList.toggle("no-pairs", !options.pairs);
    root.classList.toggle("values", options.values);
    useCyrillic(options.ranks === "cyrillic");
    this.sounds.on = options.sound;
    storeOptions(options);
    if (first) return;
    this.table.forget();
    this.draw({ first: true });
  }

  openedTab(name) {
    if (name === "ledger") this.openLedger();
    if (name === "moves") this.moves.show(this.place.step);
    if (name === "analysis") this.openAnalysis();
  }

  async openAnalysis() {
    if (this.asked) return;
    this.asked = true;
    const go = (deal, step) => this.manual({ deal, step }, { jump: deal !== this.place.deal });
    this.analysis = await loadAnalysis(this, go);
    this.analysis.opened = () => this.analysis.markMoves(this.deal.deal, this.moves.links);
  }

  /** The ledger is built when it is first looked at. */
  openLedger() {
    this.ledger ??= new Ledger(this.part("ledger"), this.deals, this.page.names);
    this.ledger.show(this.place.deal);
  }
}
