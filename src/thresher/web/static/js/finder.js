/* The search box searches by itself a moment after the last key; never while an input method is composing. */
const PAUSE_MS = 450;

export function finder() {
  const form = document.querySelector(".find");
  if (!form) return;
  const box = form.querySelector("input[type=search]");
  let composing = false;
  let timer;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!composing && box.value.trim()) form.dispatchEvent(new CustomEvent("settled"));
    }, PAUSE_MS);
  };
  box.addEventListener("compositionstart", () => {
    composing = true;
    clearTimeout(timer);
  });
  box.addEventListener("compositionend", () => {
    composing = false;
    later();
  });
  box.addEventListener("input", (event) => {
    if (!event.isComposing && !composing) later();
  });
  form.addEventListener("submit", (event) => {
    clearTimeout(timer);
    if (composing) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }, true);
}
