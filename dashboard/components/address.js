// Keeps the state of the page in its address, and copies that address.

const PAUSE = 250; // milliseconds; while p is dragged, the browser must not be flooded
const FRAMED = ["embed", "embed_options"]; // Streamlit's own words for a page within a page

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".address");
  const button = root.querySelector("button");
  const said = root.querySelector(".said");
  const state = (root.state ??= { written: -Infinity });

  function address(query, kept) {
    const url = new URL(window.location.href), words = new URLSearchParams(query);
    for (const word of kept) for (const value of url.searchParams.getAll(word)) words.append(word, value);
    url.search = words;
    return url;
  }

  function write() {
    const url = address(data.query, FRAMED);
    if (url.href === window.location.href) return;
    window.history.replaceState(window.history.state, "", url);
    state.written = performance.now();
  }

  function here() {
    const words = new URLSearchParams(window.location.search);
    for (const word of FRAMED) words.delete(word);
    return String(words);
  }

  // A session that began anew, because the server did, was told the address that the page was
  // opened with; it is told what the address has become. Otherwise the address follows the page:
  // the first change at once, so that it is kept should the page go away now.
  const isOtherSession = state.session !== undefined && state.session !== data.session;
  state.session = data.session;
  clearTimeout(state.timer);
  if (isOtherSession && here() !== String(new URLSearchParams(data.query))) {
    const known = here();
    state.recalling = true;
    setTimeout(() => { // the other widgets, whose values are sent along, have taken theirs by then
      state.recalling = false;
      setTriggerValue("recall", known);
    }, 500);
  }
  if (!state.recalling) state.timer = setTimeout(write, Math.max(0, state.written + PAUSE - performance.now()));

  button.onclick = async () => {
    clearTimeout(state.timer);
    write();
    try {
      await navigator.clipboard.writeText(address(data.query, []).href);
      said.textContent = "Link copied.";
    } catch {
      said.textContent = "Copy the address from the browser's address bar.";
    }
    setTimeout(() => { said.textContent = ""; }, 4000);
  };
  button.disabled = Boolean(data.note);
  button.title = data.note ?? "Copy a link that opens this page as it is now";
  root.querySelector(".note").textContent = data.note ?? "";
}
