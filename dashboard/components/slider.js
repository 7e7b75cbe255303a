// A slider that reports while it is dragged, never faster than the page can answer.

export default function (component) {
  const { data, parentElement, setStateValue } = component;
  const root = parentElement.querySelector(".slider");
  const range = root.querySelector("input[type=range]");
  const number = root.querySelector("input[type=number]");
  const state = (root.state ??= { waiting: false, dirty: false, sent: 0 });

  const flush = paced(state, (serial) => setStateValue("edit", { value: state.value, serial }));

  function change(value) {
    const inside = Math.min(data.most, Math.max(data.least, value));
    if (!Number.isFinite(inside)) return;
    if (inside === state.value) return;
    state.value = inside;
    state.dirty = true;
    range.value = inside;
    if (document.activeElement !== number && parentElement.activeElement !== number) number.value = inside.toFixed(data.decimals);
    range.setAttribute("aria-valuetext", inside.toFixed(data.decimals));
    flush();
  }

  for (const field of [range, number]) {
    field.min = data.least;
    field.max = data.most;
    field.step = data.step;
  }
  root.querySelector("label").textContent = data.label;
  root.title = data.help ?? "";
  range.setAttribute("aria-label", data.label);
  number.setAttribute("aria-label", `${data.label}, as a number`);
  range.oninput = () => change(range.valueAsNumber);
  number.onchange = () => { change(number.valueAsNumber); number.value = (state.value ?? data.value).toFixed(data.decimals); };
  if (hasNews(state, data, state.value === data.value, flush)) {
    state.value = data.value;
    state.dirty = false;
    range.value = data.value;
    number.value = data.value.toFixed(data.decimals);
    range.setAttribute("aria-valuetext", data.value.toFixed(data.decimals));
  }
  root.classList.toggle("large", Boolean(data.large));
  state.waiting = false;
  flush();
}
