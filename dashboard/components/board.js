// Draws the sentence, the numbers and the pictures of a page, and changes them in place.
// Everything that comes from a person is set as text, never as HTML.

const loading = {};
const CONFIG = { displayModeBar: false, responsive: true };

function loadPlotly(path) {
  if (window.Plotly) return Promise.resolve(window.Plotly);
  loading[path] ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL(path.replace(/^\//, ""), document.baseURI).href;
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => { delete loading[path]; script.remove(); reject(new Error(path)); };
    document.head.append(script);
  });
  return loading[path];
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

// Keep as many children as there are items, so that nothing is rebuilt that can be changed.
function fit(parent, count, make) {
  while (parent.children.length > count) parent.lastElementChild.remove();
  while (parent.children.length < count) parent.append(make());
  return [...parent.children];
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// Pictures must not jump when a sentence wraps otherwise: it keeps the height it once had.
function say(sentence, text) {
  setText(sentence, text);
  sentence.hidden = !text;
  if (sentence.atWidth !== sentence.clientWidth) sentence.style.minHeight = "";
  sentence.atWidth = sentence.clientWidth;
  sentence.style.minHeight = `${sentence.offsetHeight}px`;
}

function csvOf(traces) {
  const cell = (value) => {
    let text = value === null || value === undefined ? "" : String(value);
    if (/^[=+@\t\r]/.test(text) || (/^-/.test(text) && isNaN(Number(text)))) text = "'" + text;
    return /[",\n\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  const rows = [["series", "x", "y", "value"]];
  for (const trace of traces) {
    if (trace.meta === "decoration" || trace.meta === "mark") continue;
    const xs = [...(trace.x ?? [])], ys = [...(trace.y ?? [])];
    if (trace.z) {
      trace.z.forEach((line, i) => [...line].forEach((z, j) => rows.push([trace.name, xs[j], ys[i], z])));
    } else {
      const extra = trace.customdata ?? [];
      xs.forEach((x, i) => rows.push([trace.name, x, ys[i], extra[i]]));
    }
  }
  return rows.map((row) => row.map(cell).join(",")).join("\n") + "\n";
}

function save(name, type, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function makeFigure() {
  const box = element("figure", "picture");
  const head = element("div", "head");
  head.append(element("h3"));
  const tools = element("div", "tools");
  for (const kind of ["PNG", "SVG", "CSV"]) {
    const button = element("button", "tool", kind);
    button.type = "button";
    tools.append(button);
  }
  head.append(tools);
  const plot = element("div", "plot");
  plot.setAttribute("role", "img");
  box.append(head, plot, element("figcaption"));
  new IntersectionObserver(([entry]) => {
    box.visible = entry.isIntersecting;
    if (box.visible) box.paint?.();
  }, { rootMargin: "80px" }).observe(box);
  return box;
}

// Pictures may share things, such as runs: the points of traces "linked" carry a name each as
// customdata, and the trace "mark" is moved to the points of the name that is pointed at.
function markAll(name) {
  for (const box of document.querySelectorAll(".board .picture")) box.mark?.(name);
}

function linkFigure(Plotly, box, plot) {
  if (!box.traces.some((trace) => trace.meta === "mark")) {
    delete box.mark;
    return;
  }
  box.mark = (name) => {
    if (!box.drawn || box.marked === name) return;
    box.marked = name;
    const traces = box.traces, at = traces.findIndex((trace) => trace.meta === "mark");
    let { x, y, name: label } = traces[at];
    if (name !== null) {
      [x, y, label] = [[], [], name];
      for (const trace of traces.filter((one) => one.meta === "linked")) {
        trace.customdata.forEach((one, i) => { if (one === name) { x.push(trace.x[i]); y.push(trace.y[i]); } });
      }
    }
    Plotly.restyle(plot, { x: [x], y: [y], name: [label] }, [at]);
  };
  if (box.linked) return;
  box.linked = true;
  const nameOf = (event) => event.points.map((point) => point.customdata).find((one) => typeof one === "string");
  plot.on("plotly_hover", (event) => { if (box.mark && nameOf(event)) markAll(nameOf(event)); });
  plot.on("plotly_unhover", () => { if (box.mark) markAll(null); });
  plot.on("plotly_click", (event) => { if (box.mark && nameOf(event)) box.closest(".board").pick?.(nameOf(event)); });
}

function drawFigure(Plotly, box, item) {
  setText(box.querySelector("h3"), item.title);
  setText(box.querySelector("figcaption"), item.caption);
  const plot = box.querySelector(".plot");
  plot.setAttribute("aria-label", item.alt);
  plot.style.height = item.height + "px";
  box.wanted = { data: item.data, layout: item.layout };
  box.paint = () => {
    const { data, layout } = box.wanted;
    const sameData = box.drawn?.data === data;
    if (sameData && box.drawn.layout === layout) return;
    box.drawn = box.wanted;
    // Plotly changes what it is given, hence two copies; traces it has seen cost it nothing.
    const traces = sameData && box.marked === null ? plot.data : JSON.parse(data);
    if (!sameData) box.traces = JSON.parse(data);
    Plotly.react(plot, traces, { ...JSON.parse(layout), autosize: true }, CONFIG);
    box.marked = null;
    linkFigure(Plotly, box, plot);
    box.dataset.painted = String(Number(box.dataset.painted ?? 0) + 1);
  };
  if (!box.drawn || (box.visible ?? true)) box.paint(); // what is out of sight waits
  const name = item.name;
  const [png, svg, csv] = box.querySelectorAll(".tool");
  const size = () => ({ filename: name, width: Math.max(plot.clientWidth, 640), height: item.height });
  png.setAttribute("aria-label", `Save “${item.title}” as PNG`);
  svg.setAttribute("aria-label", `Save “${item.title}” as SVG`);
  csv.setAttribute("aria-label", `Save the numbers of “${item.title}” as CSV`);
  png.onclick = () => Plotly.downloadImage(plot, { format: "png", scale: 2, ...size() });
  svg.onclick = () => Plotly.downloadImage(plot, { format: "svg", ...size() });
  csv.onclick = () => save(name + ".csv", "text/csv", csvOf(JSON.parse(item.data)));
}

function makeTile() {
  const tile = element("div", "tile");
  tile.append(element("div", "label"), element("div", "value"), element("div", "detail"));
  return tile;
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".board");
  root.pick = data.picks ? (name) => setTriggerValue("picked", name) : undefined;
  if (data.open && data.open.serial !== root.opened) {
    root.opened = data.open.serial;
    window.open(new URL(data.open.address, document.baseURI), "_blank", "noopener");
  }
  root.classList.toggle("large", Boolean(data.large));
  say(root.querySelector(".sentence"), data.sentence ?? "");
  const tiles = fit(root.querySelector(".tiles"), data.tiles.length, makeTile);
  data.tiles.forEach((tile, i) => {
    setText(tiles[i].children[0], tile.label);
    setText(tiles[i].children[1], tile.value);
    setText(tiles[i].children[2], tile.detail ?? "");
    tiles[i].title = tile.help ?? "";
  });
  const pictures = root.querySelector(".pictures");
  pictures.style.setProperty("--columns", data.columns);
  const boxes = fit(pictures, data.figures.length, makeFigure);
  loadPlotly(data.plotly).then(
    (Plotly) => {
      // The first picture matters most: it is painted at once. The others follow when what has
      // arrived meanwhile is dealt with, and under a fast hand a little less often.
      const [first, ...others] = data.figures;
      if (first) drawFigure(Plotly, boxes[0], first);
      clearTimeout(root.later);
      const wait = (root.due ?? 0) - performance.now();
      root.later = setTimeout(() => {
        const began = performance.now();
        others.forEach((item, i) => drawFigure(Plotly, boxes[i + 1], item));
        const took = performance.now() - began;
        // a sixth of the time is theirs, as Plotly's is only half of what a painting takes
        root.due = began + Math.min(6 * took, 220);
        root.dataset.updates = String(Number(root.dataset.updates ?? 0) + 1);
      }, Math.max(wait, 0));
    },
    () => setText(root.querySelector(".sentence"), "The pictures could not be loaded; reload the page."),
  );
}
