// Shared by the components that report while they are used: send the newest edit, but never a
// second one before the first has been answered. `state` is the component's own memory.

function paced(state, send) {
  return function flush() {
    if (!state.dirty) return;
    if (state.waiting && performance.now() - state.sent < 600) return;
    state.dirty = false;
    state.waiting = true;
    state.sent = performance.now();
    state.serial = (state.serial ?? 0) + 1;
    send(state.serial);
    clearTimeout(state.timer);
    state.timer = setTimeout(() => { state.waiting = false; flush(); }, 650); // the answer got lost
  };
}

