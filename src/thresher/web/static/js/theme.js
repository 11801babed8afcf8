/* Light, dark, or as the system has it: kept in a cookie, so that the server writes the page in it at once. */
const COOKIE = "thresher_theme";

export function theme() {
  const root = document.documentElement;
  for (const button of document.querySelectorAll("[data-theme-switch]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      const path = document.querySelector(".brand")?.getAttribute("href") ?? "/";
      document.cookie = `${COOKIE}=${root.dataset.theme}; path=${path}; max-age=31536000; samesite=lax`;
      document.dispatchEvent(new CustomEvent("themed"));
    });
  }
}
