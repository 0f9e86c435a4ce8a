// Instants of the page in the reader's own time zone, with a countdown; and that zone chosen in forms.
// Without scripts the page tells the time in UTC, and the form takes any zone.
(() => {
  const language = document.documentElement.lang || undefined;
  const clock = new Intl.DateTimeFormat(language, {
    weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "short",
    hourCycle: "h23",
  });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "always" });
  const units = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

  function countdown(seconds) {
    // The largest unit of which there are two or more: "in 3 hours", "in 119 minutes", "in 42 seconds".
    const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= 2 * size) ?? units[3];
    return relative.format(Math.trunc(seconds / length), unit);
  }

  function show() {
    for (const element of document.querySelectorAll(".local-time")) {
      const at = new Date(element.dataset.at);
      const when = countdown((at - Date.now()) / 1000);
      const text = element.dataset.text.replace("{local}", clock.format(at)).replace("{when}", when);
      if (element.textContent !== text) element.textContent = text;
    }
  }

  function chooseOwnZone(select) {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const untouched = !select.querySelector("option[selected]");
    if (untouched && [...select.options].some((option) => option.value === zone)) select.value = zone;
  }

  document.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("select[data-own-zone]").forEach(chooseOwnZone);
    show();
    setInterval(show, 1000);
  });
})();
