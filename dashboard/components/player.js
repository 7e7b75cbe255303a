// A slider over given numbers that plays and steps, never faster than the page can answer.

const PACE = 320; // least milliseconds between two steps while it plays

export default function (component) {
  const { data, parentElement, setStateValue } = component;
  const root = parentElement.querySelector(".player");
  const range = root.querySelector("input[type=range]");
  const number = root.querySelector("input[type=number]");
  const [back, play, forward] = root.querySelectorAll("button");
  const state = (root.state ??= { waiting: false, dirty: false, sent: 0, playing: false });
  const last = data.steps.length - 1;

  function nearest(value) {
    let best = 0;
    data.steps.forEach((step, i) => { if (Math.abs(step - value) < Math.abs(data.steps[best] - value)) best = i; });
    return best;
  }

  const flush = paced(state, (serial) => setStateValue("edit", { value: data.steps[state.at], serial }));

  function show() {
    range.value = state.at;
    const value = String(data.steps[state.at]);
    if (root.getRootNode().activeElement !== number) number.value = value;
    range.setAttribute("aria-valuetext", value);
    back.disabled = state.at === 0;
    forward.disabled = state.at === last;
    play.textContent = state.playing ? "❚❚" : "▶";
    play.setAttribute("aria-label", state.playing ? "Pause" : "Play");
    play.title = state.playing ? "Pause" : "Play through the depths";
  }

  function go(at) {
    const inside = Math.min(last, Math.max(0, at));
    if (!Number.isFinite(inside) || inside === state.at) return;
    state.at = inside;
    state.dirty = true;
    show();
    flush();
  }

  function next() {
    clearTimeout(state.next);
    if (!state.playing) return;
    if (!root.isConnected || state.at >= last) {
      state.playing = false;
      show();
      return;
    }
    if (!state.waiting) state.step(state.at + 1);
    state.next = setTimeout(next, PACE);
  }

  state.step = go;
  range.min = 0;
  range.max = last;
  range.step = 1;
  number.min = data.steps[0];
  number.max = data.steps[last];
  root.querySelector("label").textContent = data.label;
  root.querySelector(".buttons").setAttribute("aria-label", data.label);
  range.setAttribute("aria-label", data.label);
  number.setAttribute("aria-label", `${data.label}, as a number`);
  back.setAttribute("aria-label", "Step back");
  forward.setAttribute("aria-label", "Step forward");
  const halt = (at) => { state.playing = false; go(at); show(); };
  range.oninput = () => halt(range.valueAsNumber);
  number.onchange = () => { if (number.value) halt(nearest(number.valueAsNumber)); number.value = data.steps[state.at]; };
  back.onclick = () => halt(state.at - 1);
  forward.onclick = () => halt(state.at + 1);
  play.onclick = () => {
    state.playing = !state.playing;
    if (state.playing && state.at >= last) go(0);
    show();
    clearTimeout(state.next);
    if (state.playing) state.next = setTimeout(next, PACE);
  };
  const steps = data.steps.join(), isNews = hasNews(state, data, data.steps[state.at] === data.value, flush);
  if (isNews || steps !== state.steps) {
    state.steps = steps;
    state.at = nearest(data.value);
    state.dirty = false;
    state.playing = false;
  }
  show();
  root.classList.toggle("large", Boolean(data.large));
  state.waiting = false;
  flush();
}
