// Shared by the components that report while they are used: send the newest edit, but never a
// second one before the first has been answered. `state` is the component's own memory.
// An edit that is lost on the way needs no second sending: Streamlit sends all values once more
// when the connection is back.

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

// Whether the component is to show what the server sends: a value of the server's own (undo, an
// example, a link), but no answer that is older than what was done here since. A session that
// began anew, because the server did, knows only the address: it is told what is shown here.
function hasNews(state, data, isSame, flush) {
  const isNew = data.revision !== state.revision;
  const isOtherSession = state.session !== undefined && data.session !== state.session;
  const isAhead = (state.serial ??= data.serial) > data.serial;
  state.revision = data.revision;
  state.session = data.session;
  // A message carries the values of all widgets, so the others must first take theirs from it.
  if (isOtherSession && !isSame) setTimeout(() => { state.dirty = true; flush(); }, 500);
  return isNew && !isAhead && !isOtherSession;
}

