// Time and taste: how long each step stays, autoplay, sounds, and what the reader chose to see.

const HOLD = {
  deal: 800,
  redeal: 1400,
  bid: 800,
  pass: 800,
  widow: 1600,
  give: 1200,
  contract: 1000,
  concede: 1000,
  play: 800,
  fault: 1800,
  deal_end: 3000,
  match_end: 3000,
};
const COMPLETE = 600;
const ANNOUNCED = 600;
const SHEET = 700;

/** Milliseconds a step stays at 1×. */
export function holdOf(event) {
  return (HOLD[event.event] ?? 800) + (event.won ? COMPLETE : 0) + (event.marriage ? ANNOUNCED : 0);
}

/** Calls `advance` step by step; `speed` is a factor, or "deals" for a score sheet every 700 ms. */
export class Playback {
  constructor({ current, advance, changed }) {
    Object.assign(this, { current, advance, changed, timer: null, speed: 1 });
    document.addEventListener("visibilitychange", () => document.hidden && this.pause());
  }

  get playing() {
    return this.timer !== null;
  }

  play() {
    if (!this.playing) this.schedule();
    this.changed();
  }

  pause() {
    if (!this.playing) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.changed();
  }

  schedule() {
    const wait = this.speed === "deals" ? SHEET : holdOf(this.current()) / this.speed;
    this.timer = setTimeout(() => {
      if (this.advance(this.speed === "deals")) this.schedule();
      else this.pause();
    }, wait);
  }
}

/** Short own sounds, made of one oscillator each; never needed to understand anything. */
export class Sounds {
  constructor() {
    this.on = false;
  }

  play(event) {
    if (!this.on) return;
    if (event.event === "fault") this.tone(180, 0.25, "square");
    else if (event.marriage)
      [0, 0.12].forEach((delay, index) => this.tone(index ? 784 : 523, 0.14, "sine", delay));
    else if (event.event === "play") this.tone(320, 0.05, "triangle");
  }

  tone(frequency, seconds, type, delay = 0) {
    this.context ??= new AudioContext();
    const start = this.context.currentTime + delay;
    const source = new OscillatorNode(this.context, { type, frequency });
    const volume = new GainNode(this.context, { gain: 0.08 });
    volume.gain.setValueAtTime(0.08, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + seconds);
    source.connect(volume).connect(this.context.destination);
    source.start(start);
    source.stop(start + seconds);
  }
}

const KEY = "viewer";
export const SPEEDS = ["0.5", "1", "2", "4", "8", "deals"];
const DEFAULTS = {
  suits: "four",
  ranks: "latin",
  keep: false,
  pairs: true,
  legal: false,
  values: false,
  speak: false,
  sound: false,
  speed: "1",
};

export function readOptions() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

export function storeOptions(options) {
  try {
    localStorage.setItem(KEY, JSON.stringify(options));
  } catch {
    // Storage may be forbidden: the choice then lasts as long as the page.
  }
}

/** Fill the form from `options` and call `changed` with every change. */
export function bindOptions(form, options, changed) {
  for (const field of form.elements) {
    if (!(field.name in options)) continue;
    if (field.type === "checkbox") field.checked = options[field.name];
    else if (field.type === "radio") field.checked = options[field.name] === field.value;
    field.addEventListener("change", () => {
      options[field.name] = field.type === "checkbox" ? field.checked : field.value;
      changed(field.name);
    });
  }
}
