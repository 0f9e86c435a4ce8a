// Runs before first paint: the reader's chosen theme, if any, else the system's.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem("theme");
  } catch {
    // Storage may be forbidden: the system's theme then stays.
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  document.documentElement.classList.add("js");
})();
