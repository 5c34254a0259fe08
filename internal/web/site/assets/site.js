"use strict";
// Pages are complete without this script. It copies, counts ages, shows values of charts, and
// loads changes. Everything it shows comes from the same server.

const each = (selector, fn, root = document) => root.querySelectorAll(selector).forEach(fn);
const main = document.getElementById("main");

// --- ages

function span(seconds) {
  const past = seconds >= 0;
  for (const [size, name] of [[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]]) {
    const n = Math.floor(Math.abs(seconds) / size);
    if (n >= 1) {
      const text = `${n.toLocaleString("en")} ${name}${n > 1 ? "s" : ""}`;
      return past ? `${text} ago` : `in ${text}`;
    }
  }
  return "just now";
}

function tick() {
  const write = (t, text) => { if (t.textContent !== text) t.textContent = text; };
  const since = t => (Date.now() - Date.parse(t.dateTime)) / 1000;
  each("time[data-age]", t => write(t, span(Math.max(0, since(t)))));
  each("time[data-due]", t => write(t, since(t) > -1 ? "now" : span(since(t))));
  each("time[data-from]", t => write(t, span(since(t))));
}

// --- copying

// A page without TLS has no clipboard. There the text is selected and copied the old way.
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = Object.assign(document.createElement("textarea"), { value: text });
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

// asCode returns HTML for other pages: the current picture with a link to its page.
function asCode(kind) {
  const name = document.querySelector("h1 bdi").textContent.replace(/[<>&"[\]()]/g, ""), page = location.origin + location.pathname;
  const url = document.querySelector("#address code").textContent, size = document.querySelector("[data-picture] [name=size]").value;
  return kind === "html" ? `<a href="${page}"><img src="${url.replaceAll("&", "&amp;")}" alt="${name}" width="${size}" height="${size}"></a>` : `[![${name}](${url})](${page})`;
}

document.addEventListener("click", async e => {
  const button = e.target.closest("button[data-copy]");
  if (!button) return;
  let word = "Copied";
  try {
    await copy(button.dataset.as ? asCode(button.dataset.as) : button.dataset.copy || button.parentElement.querySelector("code").textContent);
  } catch { word = "Not copied"; }
  const was = button.dataset.was ??= button.textContent;
  button.textContent = word;
  setTimeout(() => { button.textContent = was; }, 1500);
});

// --- the chart: values nearest to the pointer, or by the arrow keys

const charted = new WeakSet();

// minute writes a time as the server does.
function minute(ms) {
  const [, day, month, year, time] = new Date(ms).toUTCString().split(" ");
  return `${Number(day)} ${month} ${year}, ${time.slice(0, 5)} UTC`;
}

function hover(svg) {
  svg.tabIndex = 0;
  if (charted.has(svg)) return;
  charted.add(svg);
  const plot = svg.parentElement, tip = plot.querySelector(".tip"), cursor = svg.querySelector(".cursor");
  const dots = svg.querySelectorAll(".dot");
  const points = () => JSON.parse(svg.dataset.points);
  const cell = (kind, text) => Object.assign(document.createElement("span"), { className: kind, textContent: text });
  let at = -1;
  const show = i => {
    const all = points(), names = svg.dataset.names.split(",");
    at = Math.max(0, Math.min(all.length - 1, i));
    const [ms, x, heights, values] = all[at];
    cursor.setAttribute("x1", `${x}%`); cursor.setAttribute("x2", `${x}%`); cursor.classList.add("on");
    dots.forEach((d, n) => { d.classList.toggle("on", n in heights); d.setAttribute("cx", `${x}%`); d.setAttribute("cy", heights[n] ?? 0); });
    tip.replaceChildren(cell("time", minute(ms)),
      ...names.flatMap((name, n) => [cell("what", name), cell("is", values[2 * n]), cell("is", values[2 * n + 1])]),
      ...at > 0 ? [cell("time", `Change since ${minute(all[at - 1][0])}`)] : []);
    tip.hidden = false;
    const left = x / 100 * svg.clientWidth, room = plot.clientWidth - tip.offsetWidth;
    tip.style.left = `${Math.max(0, Math.min(room, left + 14 > room ? left - tip.offsetWidth - 14 : left + 14))}px`;
  };
  const hide = () => { tip.hidden = true; cursor.classList.remove("on"); dots.forEach(d => d.classList.remove("on")); };
  const point = e => {
    const x = (e.clientX - svg.getBoundingClientRect().left) / svg.clientWidth * 100;
    const all = points();
    show(all.reduce((best, p, i) => Math.abs(p[1] - x) < Math.abs(all[best][1] - x) ? i : best, 0));
  };
  svg.addEventListener("pointermove", point);
  svg.addEventListener("pointerdown", point);
  svg.addEventListener("pointerleave", e => { if (e.pointerType === "mouse") hide(); }); // values shown by a tap stay until a tap elsewhere
  document.addEventListener("pointerdown", e => { if (!plot.contains(e.target)) hide(); });
  svg.addEventListener("blur", hide);
  svg.addEventListener("focus", () => { if (svg.matches(":focus-visible")) show(at < 0 ? Infinity : at); });
  svg.addEventListener("keydown", e => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: Infinity }[e.key];
    if (e.key === "Escape") hide();
    if (to === undefined) return;
    e.preventDefault();
    show(to);
  });
}

// --- pets move while they are pointed at or focused, and never if motion is not wanted

const calm = matchMedia("(prefers-reduced-motion: reduce)");

// move shows the moving form of a picture once it is loaded. rest shows the still one.
function move(img) {
  if (calm.matches || img.dataset.still) return;
  const still = img.dataset.still = img.src, moving = new Image();
  moving.onload = () => { if (img.dataset.still === still) img.src = moving.src; };
  moving.src = img.dataset.moving ?? `${still}${still.includes("?") ? "&" : "?"}animated=true`;
}

function rest(img) {
  if (!img.dataset.still) return;
  img.src = img.dataset.still;
  delete img.dataset.still;
}

// The portrait moves, unless a still format was chosen for it.
let held = calm.matches;
function portray() {
  const img = document.getElementById("picture"), button = document.querySelector("[data-motion]");
  if (!button) return;
  const still = new URLSearchParams(location.search).get("form") === "still";
  if (img && !img.dataset.still && img.src.includes("animated=")) {
    const url = new URL(img.src);
    for (const name of ["animated", "format"]) url.searchParams.delete(name);
    Object.assign(img.dataset, { still: url.href, moving: img.src });
  }
  if (img) (held || still ? rest : move)(img);
  button.hidden = calm.matches || still;
  button.textContent = held ? "Resume animation" : "Pause animation";
}

document.addEventListener("click", e => {
  if (!e.target.closest("[data-motion]")) return;
  held = !held;
  portray();
  if (held) each("[data-any-pet] .pet img", rest);
});
for (const [kind, act] of [["pointerover", move], ["focusin", move], ["pointerout", rest], ["focusout", rest]]) {
  document.addEventListener(kind, e => {
    const pet = e.target.closest?.("a.pet");
    if (pet && !pet.contains(e.relatedTarget)) act(pet.querySelector("img"));
  });
}

// On the home page, pets take turns.
setInterval(() => {
  const row = [...document.querySelectorAll("[data-any-pet] .pet:not(:hover, :focus-within) img")];
  row.forEach(rest);
  if (row.length && !document.hidden && !held) move(row[Math.floor(Math.random() * row.length)]);
}, 5000);

// More pets load as the reader gets near the end of the grid, but only twice, so that the reader can
// reach the end of the page. The button leads on from there.
const near = new IntersectionObserver(seen => { for (const e of seen) if (e.isIntersecting) more(e.target); }, { rootMargin: "600px" });
const longestGrid = 144; // pets that come by themselves
let bringing = false;
async function more(link) {
  const grid = document.querySelector(".grid");
  if (bringing || !link.isConnected || grid.children.length >= longestGrid) return;
  bringing = true;
  try {
    const mine = choice, res = await fetch(link.href, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await res.text(), "text/html");
    if (res.ok && mine === choice) {
      grid.append(...page.querySelectorAll(".grid > .pet"));
      grid.dataset.grown = "";
      near.unobserve(link);
      const next = page.querySelector("a[data-more]");
      if (next) { link.href = next.href; near.observe(link); } else link.remove();
    }
  } catch { /* the button still works */ }
  bringing = false;
}

function enliven() {
  each("a[data-more]", link => near.observe(link));
  each(".chart .graph", hover);
  portray();
  tick();
}

// --- the switches of a pet's picture

document.addEventListener("change", e => {
  const form = e.target.closest("form[data-picture]");
  if (!form) return;
  const want = new FormData(form), q = [];
  for (const name of ["frame", "background"]) if (want.get(name) === "false") q.push(`${name}=false`);
  const largest = [...q, `size=${form.dataset.largest}`];
  if (want.get("size") !== form.dataset.default) q.push(`size=${want.get("size")}`);
  const shape = want.get("form");
  history.replaceState(null, "", `${location.pathname}?${[...q, `form=${shape}`].join("&")}`);
  const picture = document.getElementById("picture"), version = `v=${form.dataset.version}`;
  const address = list => form.dataset.picture + (list.length ? `?${list.join("&")}` : "");
  rest(picture);
  picture.src = address([...q, version]);
  if (shape !== "still") q.push("animated=true");
  picture.dataset.moving = address([...q, version]);
  portray();
  const url = address(q);
  const save = document.getElementById("save");
  save.href = url;
  document.getElementById("largest").href = address(largest);
  document.querySelector("#address code").textContent = url;
  document.querySelector("#address button").dataset.copy = url;
});

// --- pages that change while they are open

// morph makes one element like another without replacing equal parts, so that focus, open
// details and the reading position stay. It does not change elements with data-own.
function morph(now, next) {
  if (now.nodeType !== next.nodeType || now.nodeName !== next.nodeName || now.dataset?.pet !== next.dataset?.pet) {
    if (next.dataset?.pet) next.classList.add("new");
    now.replaceWith(next);
    return;
  }
  if (now.nodeType !== Node.ELEMENT_NODE) {
    if (now.data !== next.data) now.data = next.data;
    return;
  }
  if (now.hasAttribute("data-own")) return;
  for (const { name } of [...now.attributes]) {
    if (!next.hasAttribute(name) && !["open", "tabindex"].includes(name) && !now.classList.contains("new")) now.removeAttribute(name);
  }
  for (const { name, value } of [...next.attributes]) if (now.getAttribute(name) !== value) now.setAttribute(name, value);
  const kids = [...now.childNodes], fresh = [...next.childNodes];
  fresh.forEach((kid, i) => { if (kids[i]) morph(kids[i], kid); else now.append(kid); });
  kids.slice(fresh.length).forEach(kid => kid.remove());
  if (now.nodeName === "SELECT") now.value = next.value;
  if (now.type === "checkbox" && now.name) now.checked = next.hasAttribute("checked");
}

// bring fetches a page of this site and puts its content into this one, unless the reader chose
// another meanwhile. It returns whether it did.
let choice = 0, going = 0;
async function bring(url, always) {
  const mine = choice;
  const res = await fetch(url, { headers: { Accept: "text/html" } });
  if (!res.ok && !always) return false;
  const page = new DOMParser().parseFromString(await res.text(), "text/html");
  if (mine !== choice) return false;
  document.title = page.title;
  each("[data-grown]", grid => { delete grid.dataset.grown; });
  morph(main, page.getElementById("main"));
  enliven();
  return true;
}

// go shows another state of this page under its own address. The last choice wins, whichever
// reply comes last.
async function go(url, keep = history.pushState.bind(history)) {
  const mine = ++choice;
  going++;
  try {
    const focused = document.activeElement;
    if (await bring(url, true)) {
      keep(null, "", url);
      if (!focused.isConnected) (document.getElementById("found") ?? main).focus({ preventScroll: true });
    }
  } catch { if (mine === choice) location.assign(url); }
  going--;
}

document.addEventListener("click", e => {
  const link = e.target.closest("a[data-swap]");
  if (!link || e.ctrlKey || e.metaKey || e.shiftKey || e.button) return;
  e.preventDefault();
  go(link.href);
});
for (const kind of ["change", "submit"]) {
  document.addEventListener(kind, e => {
    const form = e.target.closest("form[data-filters]");
    if (!form) return;
    e.preventDefault();
    if (!form.reportValidity()) return;
    const q = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
    go(form.action + (q.size ? `?${q}` : ""));
  });
}
addEventListener("popstate", () => { if (document.querySelector("[data-swap], [data-filters]")) go(location.href, () => {}); });

// refresh brings this page up to date, at most once every two seconds. If something changes while
// the page is fetched, it is fetched once more.
let waiting = false, stale = false, last = 0;
function refresh() {
  if (document.hidden || document.querySelector("[data-grown]")) return; // the pets that were loaded later would be lost
  stale = waiting;
  if (waiting) return;
  waiting = true;
  setTimeout(async () => {
    last = Date.now();
    stale = false;
    try { if (!going) await bring(location.href, false); } catch { /* the stream says when the server is back */ }
    waiting = false;
    if (stale) refresh();
  }, Math.max(0, 2000 - (Date.now() - last)));
}

// --- the stream says when something changed

// The browser connects again when the stream breaks. If the server refuses, this script connects
// again later. After that, the page is fetched again.
const address = document.body.dataset.events;
let stream = null, missed = false, again = 0;

function say(text) {
  const line = document.getElementById("stream");
  if (line.textContent !== text) line.textContent = text;
}

function listen() {
  clearTimeout(again);
  if (stream || document.hidden) return;
  stream = new EventSource(address);
  stream.onopen = () => {
    say("Live: this page updates by itself.");
    if (missed) refresh();
    missed = false;
  };
  stream.onerror = () => {
    missed = true;
    say("Reconnecting …");
    if (stream?.readyState === EventSource.CLOSED) {
      stream = null;
      again = setTimeout(listen, 5000);
    }
  };
  stream.addEventListener("supply", e => {
    const so = JSON.parse(e.data);
    const shown = [...document.querySelectorAll("[data-state]")];
    if (shown.some(x => so[x.dataset.token] !== x.dataset.state)) refresh();
  });
  stream.addEventListener("pets", e => {
    const ids = JSON.parse(e.data); // null means many pets
    const shown = [...document.querySelectorAll("[data-pet]")].map(x => Number(x.dataset.pet));
    if (document.querySelector("[data-any-pet]") && !held || shown.some(id => !ids || ids.includes(id))) refresh();
  });
}

if (address) {
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) return listen();
    stream?.close();
    stream = null;
    missed = true;
  });
  addEventListener("pagehide", () => { stream?.close(); stream = null; missed = true; });
  addEventListener("pageshow", listen);
  const poll = document.querySelector("[data-poll]"); // pets that take turns wait while they are paused
  if (poll) setInterval(() => { if (!held || !poll.hasAttribute("data-any-pet")) refresh(); }, poll.dataset.poll * 1000);
  listen();
}

// --- the API page: an answer of the service beside its description

const longest = 20000; // characters of an answer that are shown

async function answer(url, into) {
  const began = performance.now();
  const res = await fetch(url);
  const line = document.createElement("p");
  const type = res.headers.get("Content-Type") ?? "";
  line.className = "fine";
  line.textContent = `${res.status} · ${type} · ${Math.round(performance.now() - began)} ms`;
  if (type.startsWith("image/")) {
    const image = Object.assign(new Image(), { src: url, alt: "The picture" });
    return into.replaceChildren(line, image);
  }
  let text = type === "application/octet-stream" ? `${(await res.arrayBuffer()).byteLength} bytes` : await res.text();
  if (type.includes("json")) text = JSON.stringify(JSON.parse(text), null, 2);
  if (text.length > longest) text = text.slice(0, longest) + "\n…";
  const pre = Object.assign(document.createElement("pre"), { tabIndex: 0 });
  pre.append(Object.assign(document.createElement("code"), { textContent: text }));
  into.replaceChildren(line, pre);
}

document.addEventListener("click", async e => {
  const button = e.target.closest("button[data-try]");
  if (!button) return;
  const into = button.closest(".endpoint").querySelector("[data-answer]");
  try {
    await answer(button.dataset.try, into);
  } catch {
    into.textContent = "The service could not be reached.";
  }
});

// An address with a fragment opens its endpoint.
function unfold() {
  const endpoint = document.querySelector(`details.endpoint[id="${CSS.escape(location.hash.slice(1))}"]`);
  endpoint?.setAttribute("open", "");
}
unfold();
addEventListener("hashchange", unfold);

document.documentElement.classList.add("ready");
enliven();
setInterval(tick, 1000);

// The slider of days sets the field beside it. The form's button sends the field.
document.addEventListener("input", e => {
  if (!e.target.matches("input[data-moment]")) return;
  const day = new Date(e.target.value * 1000).toISOString();
  e.target.form.elements.at.value = day.slice(0, 16);
  e.target.setAttribute("aria-valuetext", day.slice(0, 10));
});

// A printed page shows the time of printing.
window.addEventListener("beforeprint", () => each("[data-printed]", (e) => { e.textContent = `, printed ${minute(Date.now())}`; }));
