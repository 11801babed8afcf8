/* Parts of a page that tell what goes on: the server sends a part anew as an event whenever something has changed.
   Without script the page shows how it was when it was loaded. */
for (const part of document.querySelectorAll("[data-live]")) follow(part);

function follow(part) {
  const events = new EventSource(part.dataset.live);
  part.setAttribute("aria-busy", "true");
  events.addEventListener("show", (event) => show(part, event.data));
  events.addEventListener("over", () => stop(part, events));
  events.addEventListener("end", () => stop(part, events));
  addEventListener("pagehide", () => events.close());
}

/* What somebody is using right now stays as it is until the next event. */
function show(part, html) {
  const active = document.activeElement;
  const typing = part.contains(active) && active.matches("input, select, textarea");
  if (typing || part.querySelector(":popover-open") || getSelection().type === "Range") return;
  const focused = part.contains(active) ? active.id : "";
  const open = [...part.querySelectorAll("details[open][id]")].map((each) => each.id);
  part.innerHTML = html;
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (focused) document.getElementById(focused)?.focus();
}

function stop(part, events) {
  events.close();
  part.removeAttribute("aria-busy");
}
