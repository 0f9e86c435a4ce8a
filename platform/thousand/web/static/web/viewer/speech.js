// What is said to a screen reader: the last text only, 250 ms after the last change.

const QUIET = 250;

export class Speech {
  constructor(region) {
    this.region = region;
    this.last = "";
    this.timer = null;
  }

  /** `prefix` is put before a text that equals the one before, which would not be spoken again. */
  say(words, prefix) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const spoken = words === this.last ? `${prefix}. ${words}` : words;
      this.last = words;
      this.region.textContent = spoken;
    }, QUIET);
  }
}
