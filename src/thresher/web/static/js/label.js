/* The form beside a page that is marked: tells the frame what a click means, and keeps what it answers. */
const form = document.getElementById("marks");
const frame = document.getElementById("marking");
const told = JSON.parse(document.getElementById("marked").textContent);
const count = document.getElementById("mark-count");
const number = new Intl.NumberFormat(document.documentElement.lang);
const send = (what) => frame.contentWindow.postMessage(what, "*");
let marked = told.marked;

function show() {
  form.elements.blocks.value = marked.join(",");
  count.textContent = count.dataset.says
    .replace("{blocks}", number.format(marked.length))
    .replace("{characters}", number.format(marked.reduce((sum, at) => sum + (told.sizes[at] ?? 0), 0)));
  form.querySelector("button.main").disabled = marked.length === 0;
}

addEventListener("message", (event) => {
  if (event.source !== frame.contentWindow) return;
  if (event.data.ready) send({ marked, show: true, mode: form.elements.mode.value });
  if (Array.isArray(event.data.marked)) marked = event.data.marked.filter(Number.isInteger);
  const field = form.elements[event.data.field];
  if (field && ["title", "authors", "published"].includes(event.data.field)) field.value = String(event.data.text).slice(0, 500);
  show();
});
form.addEventListener("change", () => send({ mode: form.elements.mode.value }));
document.getElementById("as-extracted").addEventListener("click", () => send({ marked: told.marked, show: true }));
document.getElementById("mark-none").addEventListener("click", () => send({ marked: [] }));
send({ marked, show: true, mode: "text" });
show();
