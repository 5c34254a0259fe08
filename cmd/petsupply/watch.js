// Reloads the page when another version of the pack is served, and shows why a version
// cannot be served.
(() => {
  const turn = Number(new URL(document.currentScript.src).searchParams.get("turn")); // the turn of this page
  const box = document.createElement("pre");
  Object.assign(box.style, {
    position: "fixed", inset: "auto 0 0 0", margin: 0, padding: "12px 16px", zIndex: 1000, maxHeight: "40vh",
    overflow: "auto", whiteSpace: "pre-wrap", font: "14px/1.4 monospace", background: "#5c1626", color: "#fff",
  });
  box.id = "pack-fault";
  box.setAttribute("role", "alert");
  const look = async () => {
    try {
      const state = await (await fetch("/pack-watch/state")).json();
      if (state.turn !== turn) {
        location.reload();
        return;
      }
      box.textContent = state.fault;
      if (state.fault) document.body.append(box);
      else box.remove();
    } catch {
      // the next version is about to be served
    }
    setTimeout(look, 300);
  };
  look();
})();
