// What a reader chose about the drawing, remembered on this device only.

const KEY = "viewer";
export const SPEEDS = ["0.5", "1", "2", "4", "8", "deals"];
const DEFAULTS = { suits: "four", ranks: "latin", keep: false, pairs: true, values: false, speak: false, sound: false, speed: "1" };

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
