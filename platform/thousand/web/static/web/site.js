// Small helpers of every page. Everything works without them: theme button, copying an id,
// and a sentence where a part that refreshes itself could not be loaded.
(() => {
  const root = document.documentElement;

  const isDark = () => {
    const chosen = root.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  };

  function setUpTheme(button) {
    const label = button.querySelector("span");
    const show = () => {
      label.textContent = isDark() ? button.dataset.toLight : button.dataset.toDark;
    };
    button.addEventListener("click", () => {
      const theme = isDark() ? "light" : "dark";
      root.dataset.theme = theme;
      try {
        localStorage.setItem("theme", theme);
      } catch {
        // Storage may be forbidden: the choice then lasts as long as the page.
      }
      show();
      document.dispatchEvent(new CustomEvent("themechange"));
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
    show();
  }

  async function copy(button) {
    const note = document.getElementById("live-status");
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      if (note) note.textContent = button.dataset.copied;
    } catch {
      const selection = getSelection();
      selection.selectAllChildren(button);
    }
  }

  function markScrollable(region) {
    const update = () => {
      const more = region.scrollWidth - region.clientWidth - region.scrollLeft;
      region.classList.toggle("more-right", more > 1);
    };
    region.addEventListener("scroll", update, { passive: true });
    new ResizeObserver(update).observe(region);
    update();
  }

  // Only what has finished is spoken, and only when it is new.
  function announce() {
    const source = document.querySelector("[data-status]");
    const status = document.getElementById("live-status");
    const text = source?.dataset.status.trim() ?? "";
    if (status && text && status.textContent !== text) status.textContent = text;
  }

  // A part that could not be refreshed says so, with the id of the failed request, and keeps trying.
  function partOf(event) {
    const source = event.detail?.ctx?.sourceElement ?? event.target;
    return source instanceof Element ? source.closest("[data-live]") : null;
  }

  function showFailure(event) {
    const part = partOf(event);
    const template = document.getElementById("live-failure");
    if (!part || !template || part.querySelector(".live-failure")) return;
    const note = template.content.cloneNode(true);
    const id = event.detail?.ctx?.response?.headers?.get?.("X-Request-ID");
    if (id) note.querySelector("code").textContent = id;
    else note.querySelector(".request-id").remove();
    note.querySelector("button").addEventListener("click", () => location.reload());
    part.prepend(note);
  }

  document.addEventListener("htmx:response:error", showFailure);
  document.addEventListener("htmx:error", showFailure);
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-copy]");
    if (button) copy(button);
  });
  document.addEventListener("DOMContentLoaded", () => {
    const toggle = document.getElementById("theme-toggle");
    if (toggle) setUpTheme(toggle);
    document.querySelectorAll(".scroll-region").forEach(markScrollable);
  });
  // Nobody looks: nothing is asked for.
  document.addEventListener("htmx:before:request", (event) => {
    if (document.hidden && partOf(event)) event.preventDefault();
  });
  document.addEventListener("htmx:after:swap", () => {
    document.querySelectorAll(".scroll-region").forEach(markScrollable);
    announce();
  });
})();
