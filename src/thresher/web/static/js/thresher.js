/* What the pages do beyond links and forms. Everything works without it, a little slower. */
import { keys } from "./keys.js";
import { finder } from "./finder.js";
import { theme } from "./theme.js";
import { charts } from "./charts.js";

keys();
finder();
theme();
charts(document);
document.body.addEventListener("htmx:load", (event) => charts(event.detail.elt));

/* Buttons that copy what is written elsewhere on the page. */
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = !navigator.clipboard;
}
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
  toast(document.getElementById("toasts").dataset.copied);
});

/* Boxes that tick all others of their table. */
document.addEventListener("change", (event) => {
  const all = event.target.closest("[data-all]");
  if (!all) return;
  for (const box of all.closest("form, table").querySelectorAll(`input[type=checkbox][name="${all.dataset.all}"]`)) {
    box.checked = all.checked;
  }
});

/* Choices that send their form at once. */
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-send]")) event.target.form.requestSubmit();
});

/* A request that fails says so; silence would read as success. */
for (const name of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
  document.body.addEventListener(name, () => toast(document.getElementById("toasts").dataset.failed));
}

let gone;
export function toast(text) {
  const place = document.getElementById("toasts");
  const box = document.createElement("div");
  box.className = "toast";
  box.textContent = text;
  place.replaceChildren(box);
  clearTimeout(gone);
  gone = setTimeout(() => box.remove(), 4000);
}
