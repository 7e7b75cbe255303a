// One ranking as text and as a strip of documents; both edit the same string, live.

const RELEVANT = "$+x", NONRELEVANT = "-.0", UNJUDGED = "?_", GRADES = "123456789SAB";
const DOCUMENTS = RELEVANT + NONRELEVANT + UNJUDGED + GRADES;
const IGNORED = " \t\r\n,|";

// Where each document stands in the text, and the tie it belongs to (0 for none).
function documentsOf(text) {
  const found = [];
  let tie = 0, ties = 0;
  for (let i = 0; i < text.length; i++) {
    const mark = text[i];
    if (mark === "(") tie = ++ties;
    else if (mark === ")") tie = 0;
    else if (DOCUMENTS.includes(mark)) found.push({ at: i, mark, tie });
    else if (!IGNORED.includes(mark)) return null;
  }
  return found;
}

function kindOf(mark) {
  if (UNJUDGED.includes(mark)) return "unjudged";
  if (NONRELEVANT.includes(mark)) return "nonrelevant";
  return "relevant";
}

const WORDS = { unjudged: "unjudged", nonrelevant: "not relevant", relevant: "relevant" };

export default function (component) {
  const { data, parentElement, setStateValue, setTriggerValue } = component;
  const root = parentElement.querySelector(".editor");
  const input = root.querySelector("input");
  const strip = root.querySelector(".strip");
  const message = root.querySelector(".message");
  const state = (root.state ??= { text: "", at: 0, sent: 0, waiting: false, dirty: false });

  const flush = paced(state, (serial) => setStateValue("edit", { text: state.text, serial }));

  function change(text) {
    if (text === state.text) return;
    state.text = text;
    if (input.value !== text) input.value = text;
    state.dirty = true;
    draw();
    flush();
  }

  function draw() {
    const documents = documentsOf(state.text);
    if (documents === null || documents.length === 0) return; // the last good strip stays
    const shown = documents.slice(0, data.most);
    while (strip.children.length > shown.length) strip.lastElementChild.remove();
    while (strip.children.length < shown.length) {
      const cell = document.createElement("div");
      cell.className = "cell";
      cell.setAttribute("role", "option");
      cell.draggable = true;
      const glyph = document.createElement("span"), rank = document.createElement("small");
      glyph.className = "glyph";
      rank.textContent = String(strip.children.length + 1);
      cell.append(glyph, rank);
      strip.append(cell);
    }
    state.at = Math.min(state.at, shown.length - 1);
    shown.forEach((entry, i) => {
      const cell = strip.children[i];
      const kind = kindOf(entry.mark), tied = entry.tie > 0;
      const look = `${entry.mark} ${entry.tie} ${i === state.at}`;
      if (cell.dataset.look === look) return;
      cell.dataset.look = look;
      cell.className = `cell ${kind}${tied ? " tied" : ""}`;
      cell.firstChild.textContent = entry.mark === "-" ? "–" : entry.mark;
      cell.id = `${data.id}-${i + 1}`;
      cell.setAttribute("aria-selected", String(i === state.at));
      cell.setAttribute("aria-label", `rank ${i + 1}: ${WORDS[kind]}${GRADES.includes(entry.mark) ? ", grade " + entry.mark : ""}${tied ? ", tied" : ""}`);
    });
    strip.setAttribute("aria-activedescendant", `${data.id}-${state.at + 1}`);
    root.querySelector(".more").textContent = documents.length > shown.length
      ? `… and ${documents.length - shown.length} more below rank ${shown.length}` : "";
  }

  function select(index, count) {
    state.at = Math.max(0, Math.min(index, count - 1));
    draw();
    strip.children[state.at]?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  function put(index, mark) {
    const documents = documentsOf(state.text);
    if (!documents?.[index]) return;
    const at = documents[index].at;
    change(state.text.slice(0, at) + mark + state.text.slice(at + 1));
  }

  function cycle(index) {
    const mark = documentsOf(state.text)?.[index]?.mark;
    if (mark === undefined) return;
    const next = { relevant: "-", nonrelevant: "?", unjudged: "$" }[kindOf(mark)];
    put(index, next);
  }

  function remove(index) {
    const documents = documentsOf(state.text);
    if (!documents || documents.length < 2) return;
    const at = documents[index].at;
    change((state.text.slice(0, at) + state.text.slice(at + 1)).replaceAll("()", ""));
  }

  function insert(index, mark) {
    const documents = documentsOf(state.text);
    if (!documents) return;
    const at = documents[index]?.at ?? state.text.length;
    change(state.text.slice(0, at) + mark + state.text.slice(at));
  }

  function move(from, to) {
    const documents = documentsOf(state.text);
    if (!documents || from === to || !documents[from] || !documents[to]) return;
    const marks = documents.map((entry) => entry.mark);
    marks.splice(to, 0, marks.splice(from, 1)[0]);
    const letters = [...state.text];
    documents.forEach((entry, i) => { letters[entry.at] = marks[i]; });
    select(to, documents.length);
    change(letters.join(""));
  }

  input.oninput = () => change(input.value);
  input.onkeydown = (event) => { undoKeys(event); }; // a handler that returns false would stop the key

  function undoKeys(event) {
    if (!(event.ctrlKey || event.metaKey)) return false;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return false;
    event.preventDefault();
    setTriggerValue("command", key === "y" || event.shiftKey ? "redo" : "undo");
    return true;
  }

  strip.onkeydown = (event) => {
    if (undoKeys(event)) return;
    if (event.ctrlKey || event.metaKey) return;
    const count = strip.children.length, at = state.at;
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, PageDown: 10, PageUp: -10 };
    if (event.key in steps) {
      const to = Math.max(0, Math.min(at + steps[event.key], count - 1));
      if (event.altKey || event.shiftKey) move(at, to); else select(to, count);
    } else if (event.key === "Home") select(0, count);
    else if (event.key === "End") select(count - 1, count);
    else if (event.key === " " || event.key === "Enter") cycle(at);
    else if (event.key === "Delete" || event.key === "Backspace") remove(at);
    else if (event.key === "Insert" || event.key === "i") insert(at, "-");
    else if (event.key.length === 1 && DOCUMENTS.includes(event.key)) {
      put(at, event.key);
      select(at + 1, count);
    } else return;
    event.preventDefault();
  };

  const indexOf = (target) => [...strip.children].indexOf(target.closest?.(".cell"));

  strip.onclick = (event) => {
    const index = indexOf(event.target);
    if (index < 0) return;
    select(index, strip.children.length);
    strip.focus({ preventScroll: true });
    cycle(index);
  };
  strip.ondragstart = (event) => {
    state.dragged = indexOf(event.target);
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", String(state.dragged));
  };
  strip.ondragover = (event) => { if (state.dragged !== undefined) event.preventDefault(); };
  strip.ondrop = (event) => {
    event.preventDefault();
    const to = indexOf(event.target);
    if (state.dragged >= 0 && to >= 0) move(state.dragged, to);
    state.dragged = undefined;
  };
  strip.onpaste = (event) => {
    event.preventDefault();
    const pasted = event.clipboardData.getData("text/plain").trim();
    if (pasted) change(pasted);
  };

  // What the server says: an answer to the last edit, or a text of its own (undo, preset, link).
  root.querySelector("label").textContent = data.label;
  input.setAttribute("aria-label", data.label);
  strip.setAttribute("aria-label", `${data.label}: strip of documents`);
  if (hasNews(state, data, state.text === data.text, flush)) {
    state.text = data.text;
    state.dirty = false;
    input.value = data.text;
    draw();
  }
  message.textContent = data.error ?? "";
  input.setAttribute("aria-invalid", String(Boolean(data.error)));
  root.classList.toggle("large", Boolean(data.large));
  root.classList.toggle("wrong", Boolean(data.error));
  state.waiting = false;
  flush();
}
