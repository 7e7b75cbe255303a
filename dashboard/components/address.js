// Keeps the state of the page in its address, and copies that address.

export default function (component) {
  const { data, parentElement } = component;
  const root = parentElement.querySelector(".address");
  const button = root.querySelector("button");
  const said = root.querySelector(".said");
  const state = (root.state ??= {});

  function write() {
    const url = new URL(window.location.href);
    url.search = state.query;
    if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url);
  }

  state.query = data.query;
  clearTimeout(state.timer);
  state.timer = setTimeout(write, 250); // while p is dragged, the browser must not be flooded

  button.onclick = async () => {
    clearTimeout(state.timer);
    write();
    try {
      await navigator.clipboard.writeText(window.location.href);
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
