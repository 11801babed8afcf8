/* Runs in the frame of a page that is marked: a click on a block marks it, or names it as a field. The page around it
   decides which; it hears which blocks are marked. Shift marks everything from the last click on. */
(() => {
  const blocks = [...document.querySelectorAll("[data-thresher-block]")];
  let mode = "text";
  let last = 0;
  const tell = (what) => parent.postMessage(what, "*");
  const numbers = () => blocks.flatMap((block, number) => (block.getAttribute("aria-pressed") === "true" ? [number] : []));
  const mark = (block, on) => block.setAttribute("aria-pressed", on ? "true" : "false");

  function choose(number, through) {
    if (mode !== "text") return tell({ field: mode, text: blocks[number].textContent.replace(/\s+/g, " ").trim() });
    const on = through ? true : blocks[number].getAttribute("aria-pressed") !== "true";
    const [from, to] = through ? [Math.min(last, number), Math.max(last, number)] : [number, number];
    for (let at = from; at <= to; at += 1) mark(blocks[at], on);
    last = number;
    tell({ marked: numbers() });
  }

  blocks.forEach((block, number) => {
    block.tabIndex = 0;
    block.setAttribute("role", "button");
    mark(block, false);
    block.addEventListener("click", (event) => {
      event.preventDefault();
      event.stopPropagation();
      choose(number, event.shiftKey);
    });
    block.addEventListener("keydown", (event) => {
      if (event.target !== block || (event.key !== "Enter" && event.key !== " ")) return;
      event.preventDefault();
      choose(number, event.shiftKey);
    });
  });
  addEventListener("message", (event) => {
    if (event.source !== parent) return;
    if (event.data.mode) mode = event.data.mode;
    if (event.data.marked) {
      const wanted = new Set(event.data.marked);
      blocks.forEach((block, number) => mark(block, wanted.has(number)));
      const first = blocks[event.data.marked[0]];
      if (event.data.show && first) scrollTo(0, scrollY + first.getBoundingClientRect().top - innerHeight / 4); // and not the page around it
      tell({ marked: numbers() });
    }
  });
  tell({ ready: true });
})();
