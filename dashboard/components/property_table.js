// A table of yes and no. A click or an arrow key chooses a cell; all words are set as text.

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function build(root, data) {
  const head = root.querySelector("thead"), body = root.querySelector("tbody");
  head.replaceChildren();
  body.replaceChildren();
  const names = element("tr");
  names.append(element("th", "corner", "metric"));
  for (const column of data.columns) {
    const cell = element("th");
    cell.scope = "col";
    cell.title = column.help;
    cell.append(element("span", "name", column.name));
    names.append(cell);
  }
  head.append(names);
  let section = null;
  for (const row of data.rows) {
    if (row.section !== section) {
      section = row.section;
      const line = element("tr", "section");
      const cell = element("th", "", section);
      cell.colSpan = data.columns.length + 1;
      cell.scope = "colgroup";
      line.append(cell);
      body.append(line);
    }
    const line = element("tr");
    const name = element("th", "metric", row.name);
    name.scope = "row";
    name.title = row.help;
    line.append(name);
    data.columns.forEach((column, i) => {
      const yes = row.holds[i];
      const cell = element("td", yes ? "yes" : "no", yes ? "yes" : "no");
      cell.dataset.cell = `${row.key}.${column.key}`;
      cell.setAttribute("role", "gridcell");
      cell.setAttribute("aria-label", `${row.name}, ${column.name}: ${yes ? "yes" : "no"}`);
      line.append(cell);
    });
    body.append(line);
  }
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".properties");
  const table = root.querySelector("table");
  const state = (root.state ??= {});
  const shape = JSON.stringify([data.columns, data.rows]);
  if (state.shape !== shape) {
    const inside = table.contains(root.getRootNode().activeElement);
    state.shape = shape;
    build(root, data);
    state.refocus = inside;
  }
  table.setAttribute("aria-label", data.label);
  root.classList.toggle("large", Boolean(data.large));

  function mark(name) {
    for (const cell of table.querySelectorAll("td")) {
      const chosen = cell.dataset.cell === name;
      cell.setAttribute("aria-selected", String(chosen));
      cell.tabIndex = chosen ? 0 : -1;
      if (chosen) state.cell = cell;
    }
    state.chosen = name;
  }

  // The cell is marked at once; the server hears of it when the hand rests.
  function choose(cell, wait) {
    mark(cell.dataset.cell);
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
    clearTimeout(state.timer);
    state.timer = setTimeout(() => {
      state.timer = 0;
      setTriggerValue("cell", state.chosen);
    }, wait);
  }

  table.onclick = (event) => {
    const cell = event.target.closest?.("td");
    if (cell) choose(cell, 0);
  };
  table.onkeydown = (event) => {
    const cell = event.target.closest?.("td");
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    const lines = [...table.querySelectorAll("tbody tr")].filter((line) => line.querySelector("td"));
    const places = lines.map((line) => [...line.querySelectorAll("td")]);
    let down = lines.indexOf(cell.parentElement), across = places[down].indexOf(cell);
    if (event.key === "ArrowRight") across += 1;
    else if (event.key === "ArrowLeft") across -= 1;
    else if (event.key === "ArrowDown") down += 1;
    else if (event.key === "ArrowUp") down -= 1;
    else if (event.key === "Home") across = 0;
    else if (event.key === "End") across = places[0].length - 1;
    else if (event.key === "PageUp") down = 0;
    else if (event.key === "PageDown") down = lines.length - 1;
    else if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    const next = places[down]?.[across];
    if (next) choose(next, 90);
  };

  // On a phone the table scrolls inside itself; a chosen cell must be in sight, the page stays.
  function reveal() {
    const frame = root.querySelector(".scroll"), head = table.tHead.offsetHeight;
    const top = state.cell.offsetTop, bottom = top + state.cell.offsetHeight;
    if (top - head < frame.scrollTop) frame.scrollTop = top - head;
    else if (bottom > frame.scrollTop + frame.clientHeight) frame.scrollTop = bottom - frame.clientHeight;
  }

  if (!state.timer && state.chosen !== data.chosen) {
    mark(data.chosen);
    requestAnimationFrame(reveal);
  } else if (!state.timer) mark(data.chosen);
  if (state.refocus) { state.refocus = false; state.cell?.focus({ preventScroll: true }); }
  const words = root.querySelector(".definition");
  if (words.textContent !== data.definition) words.textContent = data.definition;
}
