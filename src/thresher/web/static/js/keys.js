/* The keyboard: / search, Ctrl-K go to a page, j k through rows, g x to a page, ? the list of keys. */
const WAIT_MS = 1200; // for the second key of g x

const typing = (target) => target.closest("input, textarea, select, [contenteditable]") !== null;

export function keys() {
  let going = 0;
  for (const button of document.querySelectorAll("[data-keys]")) {
    button.hidden = false;
    button.addEventListener("click", showKeys);
  }
  goToPage();
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.altKey) return;
    if ((event.ctrlKey || event.metaKey) && event.key === "k") {
      event.preventDefault();
      document.getElementById("go")?.showModal();
      return;
    }
    if (event.ctrlKey || event.metaKey || typing(event.target) || document.querySelector("dialog[open]")) return;
    if (event.timeStamp - going < WAIT_MS && going) {
      going = 0;
      const link = document.querySelector(`[data-go="${CSS.escape(event.key)}"]`);
      if (link) {
        event.preventDefault();
        link.click();
      }
      return;
    }
    if (event.key === "g") going = event.timeStamp;
    else act(event);
  });
}

function act(event) {
  if (event.key === "/") {
    const box = document.querySelector(".find input[type=search]");
    if (!box) return;
    event.preventDefault();
    box.focus();
    box.select();
  } else if (event.key === "?") showKeys();
  else if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
}

function showKeys() {
  document.getElementById("keys")?.showModal();
}

function step(by) {
  const rows = [...document.querySelectorAll("[data-row]")];
  if (!rows.length) return;
  const now = rows.findIndex((row) => row.classList.contains("picked"));
  const row = rows[now < 0 ? 0 : Math.min(Math.max(now + by, 0), rows.length - 1)];
  rows[now]?.classList.remove("picked");
  row.classList.add("picked");
  row.querySelector("a[href], button")?.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

/* Ctrl-K: the pages whose names hold what is typed, and a search for it. */
function goToPage() {
  const dialog = document.getElementById("go");
  if (!dialog) return;
  const [box, list] = [dialog.querySelector("input"), dialog.querySelector("ul")];
  const places = [...document.querySelectorAll(".rail li a")].map((link) => [link.textContent.trim(), link.href]);
  const find = document.querySelector(".find");
  let at = 0;
  const show = () => {
    const wanted = box.value.trim().toLowerCase();
    const found = places.filter(([name]) => name.toLowerCase().includes(wanted));
    if (wanted && find) found.push([`${find.querySelector(".main").textContent}: ${box.value.trim()}`, `${find.action}?q=${encodeURIComponent(box.value.trim())}`]);
    at = Math.max(0, Math.min(at, found.length - 1));
    list.replaceChildren(...found.map(([name, href], number) => {
      const [item, link] = [document.createElement("li"), document.createElement("a")];
      link.textContent = name;
      link.href = href;
      item.className = number === at ? "picked" : "";
      item.append(link);
      return item;
    }));
  };
  box.addEventListener("input", () => { at = 0; show(); });
  box.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      at += event.key === "ArrowDown" ? 1 : -1;
      show();
    } else if (event.key === "Enter") {
      event.preventDefault();
      list.querySelectorAll("a")[at]?.click();
    }
  });
  new MutationObserver(() => { if (dialog.open) { box.value = ""; at = 0; show(); box.focus(); } })
    .observe(dialog, { attributes: true, attributeFilter: ["open"] });
}
