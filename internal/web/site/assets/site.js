"use strict";
// Pages are whole without this. It copies, ticks, hovers, and refreshes what
// has changed; everything it shows comes from the same server.

const each = (selector, fn, root = document) => root.querySelectorAll(selector).forEach(fn);

function ago(seconds) {
  for (const [size, name] of [[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]]) {
    const n = Math.floor(seconds / size);
    if (n >= 1) return `${n} ${name}${n > 1 ? "s" : ""} ago`;
  }
  return "just now";
}

function tick() {
  each("time[data-age]", t => {
    const text = ago((Date.now() - Date.parse(t.dateTime)) / 1000);
    if (t.textContent !== text) t.textContent = text;
  });
}

function enliven(root) {
  each("button[data-copy]", b => {
    b.hidden = false;
    b.onclick = async () => {
      await navigator.clipboard.writeText(b.dataset.copy);
      b.textContent = "Copied";
      setTimeout(() => { b.textContent = "Copy"; }, 1500);
    };
  }, root);
  each(".chart svg", hover, root);
  tick();
}

// hover shows the values nearest to the pointer, or steps with the arrow keys.
function hover(svg) {
  const points = JSON.parse(svg.dataset.points);
  const figure = svg.parentElement, tip = figure.querySelector(".tip"), cursor = svg.querySelector(".cursor");
  let at = points.length - 1;
  const show = () => {
    const [ms, x, total, circulating] = points[at];
    cursor.setAttribute("x1", x); cursor.setAttribute("x2", x); cursor.classList.add("on");
    tip.textContent = `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")}\ntotal       ${total}\ncirculating ${circulating}`;
    tip.hidden = false;
    const left = x / 600 * svg.clientWidth, room = svg.clientWidth - tip.offsetWidth;
    tip.style.left = `${Math.max(0, Math.min(room, left + 12 > room ? left - tip.offsetWidth - 12 : left + 12))}px`;
  };
  const hide = () => { tip.hidden = true; cursor.classList.remove("on"); };
  svg.tabIndex = 0;
  svg.onpointermove = e => {
    const x = (e.clientX - svg.getBoundingClientRect().left) / svg.clientWidth * 600;
    at = points.reduce((best, p, i) => Math.abs(p[1] - x) < Math.abs(points[best][1] - x) ? i : best, 0);
    show();
  };
  svg.onpointerleave = svg.onblur = hide;
  svg.onfocus = () => { if (svg.matches(":focus-visible")) show(); };
  svg.onkeydown = e => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (!step) return;
    e.preventDefault();
    at = Math.max(0, Math.min(points.length - 1, at + step));
    show();
  };
}

// The switches of a pet's picture.
each("form[data-picture]", form => {
  const img = document.getElementById("picture"), address = document.getElementById("address"), save = document.getElementById("save");
  form.onchange = () => {
    const want = new FormData(form), q = [];
    for (const name of ["frame", "background"]) if (want.get(name) === "false") q.push(`${name}=false`);
    if (want.get("size") !== form.dataset.default) q.push(`size=${want.get("size")}`);
    const url = form.dataset.picture + (q.length ? `?${q.join("&")}` : "");
    img.src = save.href = url;
    address.querySelector("code").textContent = url;
    address.querySelector("button").dataset.copy = url;
    history.replaceState(null, "", location.pathname + (q.length ? `?${q.join("&")}` : ""));
  };
});

each("form[data-auto]", form => {
  form.querySelector("button").hidden = true;
  form.onchange = () => {
    each("select", s => { s.disabled = s.value === ""; }, form);
    form.submit();
  };
});
addEventListener("pageshow", () => each("form[data-auto] select", s => { s.disabled = false; }));

// refresh fetches this page again and puts in what is marked as live, at most
// once every two seconds.
let waiting = false, last = 0;
function refresh() {
  if (waiting) return;
  waiting = true;
  setTimeout(async () => {
    waiting = false;
    last = Date.now();
    try {
      const res = await fetch(location.href, { headers: { Accept: "text/html" } });
      if (!res.ok) return;
      const fresh = new DOMParser().parseFromString(await res.text(), "text/html");
      each("[data-live]", now => {
        const next = fresh.querySelector(`[data-live="${now.dataset.live}"]`);
        if (!next || next.outerHTML === now.dataset.was || now.contains(document.activeElement) && document.activeElement.matches("svg, button, summary")) return;
        if (now.tagName === "IMG") { if (now.src !== next.src) now.src = next.src; return; }
        const open = [...now.querySelectorAll("details")].map(d => d.open);
        now.innerHTML = next.innerHTML;
        now.querySelectorAll("details").forEach((d, i) => { d.open = open[i]; });
        now.dataset.was = next.outerHTML;
        enliven(now);
      });
    } catch { /* the stream says when the server is back */ }
  }, Math.max(0, 2000 - (Date.now() - last)));
}

// The stream says when something changed. A browser reconnects by itself; what
// was missed meanwhile is fetched then.
const events = document.body.dataset.events;
if (events && document.querySelector("[data-live]")) {
  const pet = document.querySelector("[data-pet]")?.dataset.pet;
  let stream, opened = false, poll;
  const listen = () => {
    stream = new EventSource(events);
    stream.onopen = () => { if (opened) refresh(); opened = true; };
    stream.onerror = () => { if (stream.readyState === EventSource.CLOSED) setTimeout(listen, 5000); };
    let first = true;
    if (!pet) stream.addEventListener("supply", () => { if (!first) refresh(); first = false; });
    stream.addEventListener("pets", e => {
      if (pet ? JSON.parse(e.data).includes(Number(pet)) : document.querySelector("[data-live=strip], [data-live=grid]")) refresh();
    });
  };
  const start = () => { listen(); if (document.querySelector("[data-poll]")) poll = setInterval(refresh, 5000); };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) { stream?.close(); clearInterval(poll); } else { start(); refresh(); }
  });
  start();
}

const viewer = document.getElementById("viewer");
if (viewer) addEventListener("load", () => {
  window.SwaggerUIBundle({ url: viewer.dataset.spec, domNode: viewer, presets: [window.SwaggerUIBundle.presets.apis], deepLinking: true, validatorUrl: null, supportedSubmitMethods: ["get", "head", "options"] });
});

enliven(document);
setInterval(tick, 1000);
