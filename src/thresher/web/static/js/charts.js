/* Timelines: <div class="timeline" data-from="ID"> draws the JSON of the script element ID with uPlot.
   The data: {"times": [seconds …], "series": [{"name", "values", "colour": 1..6}], "unit": ""}. */
const drawn = new Map();

export async function charts(within) {
  const places = [...within.querySelectorAll(".timeline[data-from]")].filter((place) => !place.dataset.drawn);
  if (!places.length) return;
  await uplot(document.querySelector("meta[name=uplot]")?.content);
  for (const place of places) draw(place);
}

function uplot(address) {
  if (window.uPlot || !address) return Promise.resolve();
  return new Promise((done) => {
    const script = document.createElement("script");
    script.src = address;
    script.addEventListener("load", done);
    document.head.append(script);
  });
}

function draw(place) {
  if (!window.uPlot) return;
  place.dataset.drawn = "1";
  const told = JSON.parse(document.getElementById(place.dataset.from).textContent);
  const paint = () => {
    drawn.get(place)?.destroy();
    const style = getComputedStyle(place);
    const colour = (name) => resolved(style, name);
    const language = document.documentElement.lang;
    const number = new Intl.NumberFormat(language);
    const moment = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
    const axis = { stroke: colour("--soft"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false }, font: `12px ${style.fontFamily}` };
    const series = told.series.map((each, at) => ({
      label: each.name,
      stroke: colour(`--c${each.colour ?? at + 1}`),
      width: 1.5,
      points: { show: told.times.length < 40, size: 4 },
      value: (_, value) => (value === null ? "–" : `${number.format(value)} ${told.unit ?? ""}`),
    }));
    const options = {
      width: place.clientWidth,
      height: 220,
      cursor: { y: false },
      series: [{ value: (_, at) => (at === null ? "–" : moment.format(at * 1000)) }, ...series],
      axes: [axis, { ...axis, size: 56, values: (_, values) => values.map((value) => number.format(value)) }],
      scales: { y: { range: (_, low, high) => [Math.min(0, low ?? 0), Math.max(1, (high ?? 1) * 1.05)] } },
    };
    place.replaceChildren();
    drawn.set(place, new window.uPlot(options, [told.times, ...told.series.map((each) => each.values)], place));
  };
  paint();
  document.addEventListener("themed", paint);
  new ResizeObserver(() => drawn.get(place)?.setSize({ width: place.clientWidth, height: 220 })).observe(place);
}

/* What a custom property comes to; light-dark() is worked out only where it is used. */
function resolved(style, name) {
  const probe = document.createElement("i");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}
