/* The form beside a page that is marked: tells the frame what a click means, and keeps what it answers. */
const form = document.getElementById("marks");
const frame = document.getElementById("marking");
const told = JSON.parse(document.getElementById("marked").textContent);
const count = document.getElementById("mark-count");
const number = new Intl.NumberFormat(document.documentElement.lang);
const send = (what) => frame.contentWindow.postMessage(what, "*");
let { marked, posts } = told;

function show() {
  form.elements.blocks.value = marked.join(",");
  form.elements.posts.value = posts.length ? JSON.stringify(posts) : "";
  const having = (part) => number.format(posts.filter((post) => post[part] !== null).length);
  const lines = [count.dataset.says
    .replace("{blocks}", number.format(marked.length))
    .replace("{characters}", number.format(marked.reduce((sum, at) => sum + (told.sizes[at] ?? 0), 0)))];
  if (posts.length) {
    lines[marked.length ? 1 : 0] = count.dataset.posts
      .replace("{posts}", number.format(posts.length))
      .replace("{authors}", having("author"))
      .replace("{times}", having("time"));
  }
  count.textContent = lines.join("; ");
  form.querySelector("button.main").disabled = marked.length + posts.length === 0;
}

function all(shown) {
  return { marked: told.marked, posts: told.posts, names: told.names, show: shown };
}

addEventListener("message", (event) => {
  if (event.source !== frame.contentWindow) return;
  if (event.data.ready) send({ ...all(true), marked, posts, mode: form.elements.mode.value });
  if (Array.isArray(event.data.marked)) marked = event.data.marked.filter(Number.isInteger);
  if (Array.isArray(event.data.posts)) posts = event.data.posts;
  const field = form.elements[event.data.field];
  if (field && ["title", "authors", "published"].includes(event.data.field)) field.value = String(event.data.text).slice(0, 500);
  show();
});
form.addEventListener("change", () => send({ mode: form.elements.mode.value }));
document.getElementById("as-extracted").addEventListener("click", () => send(all(true)));
document.getElementById("mark-none").addEventListener("click", () => send({ marked: [], posts: [] }));
send({ ...all(true), mode: form.elements.mode.value });
show();
