/* Runs in the frame of a page that is marked: a click on a block marks it as main text or as part of a post, or names it
   as a field. The page around it decides which; it hears what is marked. Shift marks everything from the last click on. */
(() => {
  const blocks = [...document.querySelectorAll("[data-thresher-block]")];
  const parts = { "post-author": "author", "post-time": "time" };
  const marked = new Set();
  let posts = []; // {text: [numbers], author: number or null, time: number or null}, in the order of the page
  let names = {};
  let current = null; // the post that Shift goes on with
  let aimed = null; // the post that an author or a time is to be given to, where one was clicked
  let mode = "text";
  let last = 0;
  const tell = (what) => parent.postMessage(what, "*");
  const numbers = () => [...marked].sort((one, other) => one - other);

  function paint() {
    for (const block of blocks) {
      block.setAttribute("aria-pressed", "false");
      block.removeAttribute("data-thresher-post");
      block.removeAttribute("data-thresher-part");
    }
    for (const number of marked) blocks[number]?.setAttribute("aria-pressed", "true");
    posts.forEach((post, at) => {
      for (const number of post.text) name(number, "text", `#${at + 1}`);
      for (const part of ["author", "time"]) if (post[part] !== null) name(post[part], part, `#${at + 1} ${names[part] ?? part}`);
    });
    tell({ marked: numbers(), posts });
  }

  function name(number, part, words) {
    const block = blocks[number];
    if (!block) return;
    block.setAttribute("aria-pressed", "true");
    block.setAttribute("data-thresher-part", part);
    block.setAttribute("data-thresher-post", words);
  }

  function choose(number, through) {
    if (["title", "authors", "published"].includes(mode)) {
      tell({ field: mode, text: blocks[number].textContent.replace(/\s+/g, " ").trim() });
      return;
    }
    const [from, to] = through ? [Math.min(last, number), Math.max(last, number)] : [number, number];
    const range = Array.from({ length: to - from + 1 }, (_, at) => from + at);
    if (mode === "post") choosePost(range, through);
    else if (parts[mode]) choosePart(number, parts[mode]);
    else {
      const on = through || !marked.has(number);
      for (const at of range) on ? marked.add(at) : marked.delete(at);
    }
    last = number;
    paint();
  }

  function choosePost(range, through) {
    const held = posts.find((post) => post.text.includes(range[0]));
    for (const post of posts) if (post !== current || !through) post.text = post.text.filter((at) => !range.includes(at));
    if (through && current) current.text = [...new Set([...current.text, ...range])].sort((one, other) => one - other);
    else if (!held) posts.push((current = { text: range, author: null, time: null }));
    posts = posts.filter((post) => post.text.length).sort((one, other) => one.text[0] - other.text[0]);
    if (!posts.includes(current)) current = posts.at(-1) ?? null;
  }

  function choosePart(number, part) {
    const of = posts.find((post) => post.text.includes(number));
    const held = posts.find((post) => post[part] === number);
    const next = posts.find((post) => post.text[0] > number && post[part] === null);
    if (of) aimed = of; // what is clicked next belongs to this post
    else if (held) held[part] = null;
    else if (posts.length) {
      (aimed ?? next ?? posts.at(-1))[part] = number;
      aimed = null;
    }
  }

  blocks.forEach((block, number) => {
    block.tabIndex = 0;
    block.setAttribute("role", "button");
    block.setAttribute("aria-pressed", "false");
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
    const told = event.data;
    if (told.mode) mode = told.mode;
    if (told.names) names = told.names;
    if (told.posts) posts = told.posts.map((post) => ({ ...post, text: [...post.text] }));
    if (told.posts) current = posts[0] ?? null;
    if (!told.marked) return;
    marked.clear();
    for (const number of told.marked) marked.add(number);
    paint();
    const first = blocks[told.marked[0] ?? posts[0]?.text[0]];
    if (told.show && first) scrollTo(0, scrollY + first.getBoundingClientRect().top - innerHeight / 4); // and not the page around it
  });
  tell({ ready: true });
})();
