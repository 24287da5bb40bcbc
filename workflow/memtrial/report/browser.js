"use strict";
// The list: what is shown of the index, by filters that stand in the address. Texts go in as text nodes alone.

const AXES = ["system", "reader", "reader_pass", "judge"];
const AXIS_NAMES = { system: "System", reader: "Reader", reader_pass: "Pass", judge: "Judge" };
const FLAGS = [
  ["wrong", "wrong"], ["flipped", "flipped between passes"], ["judges", "judges disagree"],
  ["disputed", "disputed gold"], ["changes-score", "disputed, score may change"],
  ["missing", "gold not in packet"], ["status", "status not ok"], ["abstention", "abstention"],
];
const BAD_ANSWERS = /[tre]/, BAD_VERDICTS = /[uen]/;
const ROWS = 200;  // drawn at once
const KEPT = 16;  // loaded files kept

let index = null, questions = [], shown = [], drawn = 0, opened = null;
const state = { filter: new Set(), type: "", label: "", search: "", q: "", system: "", reader: "", reader_pass: "", judge: "" };

// Data files call this: a page opened from disk may not fetch, but may load scripts.
const waiting = new Map(), loaded = new Map();
const memtrial = { deliver(name, value) { name === "index" ? (index = value) : waiting.get(name)?.(value); } };

function load(name) {
  if (loaded.has(name)) return loaded.get(name);
  const script = document.createElement("script");
  const value = new Promise((resolve, reject) => {
    waiting.set(name, resolve);
    script.onerror = () => { loaded.delete(name); reject(new Error(`questions/${name}.js cannot be loaded`)); };
  }).finally(() => { waiting.delete(name); script.remove(); });
  loaded.set(name, value);
  if (loaded.size > KEPT) loaded.delete(loaded.keys().next().value);
  script.src = `questions/${name}.js`;
  document.head.append(script);
  return value;
}

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== null && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

const byId = (id) => document.getElementById(id);
const count = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;

function unpack() {
  const [types, type] = index.types;
  questions = index.ids.map((id, n) => ({
    n, id, question: index.questions[n], type: types[type[n]],
    labels: index.labels.filter(([, , of]) => of[n] >= 0).map(([name, values, of]) => [name, values[of[n]]]),
    found: `${id}\n${index.questions[n]}`.toLocaleLowerCase(),
  }));
}

// Which columns count: baselines that nobody remembers anything for only where one is chosen.
function scope() {
  const kinds = new Map(index.kinds);
  const fits = (names) => names.every((name, axis) => !state[AXES[axis]] || state[AXES[axis]] === name);
  const counts = (names) => fits(names) && (state.system || kinds.get(names[0]) !== "trivial");
  const numbers = (lists, ...dropped) => lists.map((names, n) => [names, n]).filter(([names]) => counts(names)).map(([, n]) => n);
  const free = (axis) => {  // groups of cells that differ in this axis alone, whatever is chosen on it
    const groups = new Map();
    index.cells.forEach((names, n) => {
      const others = names.map((name, a) => (a === axis ? "" : name));
      const chosen = others.every((name, a) => a === axis || !state[AXES[a]] || state[AXES[a]] === name);
      if (!chosen || (!state.system && kinds.get(names[0]) === "trivial")) return;
      groups.set(others.join("/"), [...(groups.get(others.join("/")) ?? []), n]);
    });
    return [...groups.values()].filter((group) => group.length > 1);
  };
  return {
    cells: numbers(index.cells), passes: numbers(index.passes), systems: numbers(index.systems.map((s) => [s])),
    flips: free(2), judges: free(3),
  };
}

function flagsOf(n, of) {
  const verdict = (cell) => index.verdicts[cell][n];
  const both = (group) => { const all = group.map(verdict); return all.includes("1") && all.includes("0"); };
  return {
    wrong: of.cells.some((cell) => verdict(cell) === "0"),
    flipped: of.flips.some(both),
    judges: of.judges.some(both),
    disputed: index.disputed[n] !== "0",
    "changes-score": index.disputed[n] === "2",
    missing: of.systems.some((system) => index.packets[system][n] === "0"),
    status: of.passes.some((p) => BAD_ANSWERS.test(index.answers[p][n])) || of.cells.some((c) => BAD_VERDICTS.test(verdict(c))),
    abstention: index.abstention[n] === "1",
  };
}

function selectRows() {
  const of = scope(), words = state.search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const base = questions.filter((q) =>
    (!state.type || q.type === state.type) && (!state.label || q.labels.some((l) => l.join("=") === state.label))
    && words.every((word) => q.found.includes(word)));
  for (const q of base) {
    q.flags = flagsOf(q.n, of);
    const judged = of.cells.map((cell) => index.verdicts[cell][q.n]).filter((v) => v === "0" || v === "1");
    q.judged = judged.length;
    q.right = judged.filter((v) => v === "1").length;
  }
  shown = base.filter((q) => [...state.filter].every((flag) => q.flags[flag]));
  for (const [flag] of FLAGS) byId(`n-${flag}`).value = shown.filter((q) => q.flags[flag]).length.toLocaleString("en");
}

function address(q) {
  const told = new URLSearchParams();
  if (state.filter.size) told.set("filter", [...state.filter].join(","));
  for (const name of ["type", "label", "search", ...AXES]) if (state[name]) told.set(name === "reader_pass" ? "pass" : name, state[name]);
  if (q) told.set("q", q);
  return `#${told}`;
}

function row(q) {
  const tags = FLAGS.filter(([flag]) => q.flags[flag] && flag !== "wrong" && flag !== "changes-score");
  const rate = q.judged ? `${q.right} of ${q.judged} right` : "not judged";
  const tone = !q.judged ? "unjudged" : q.right === q.judged ? "right" : q.right ? "partly" : "wrong";
  const link = element("a", { href: address(q.id), "data-n": q.n, "aria-current": q.id === state.q ? "true" : null },
    element("span", { dir: "auto" }, q.question),
    element("small", null, element("bdi", null, q.id), ` · ${q.type} · `, element("span", { class: tone }, rate)),
    tags.length ? element("small", null, tags.map(([flag, name]) => element("span", { class: flag === "abstention" ? "tag" : "tag warn" }, name))) : null);
  return element("li", null, link);
}

function draw() {
  selectRows();
  drawn = 0;
  byId("rows").replaceChildren();
  byId("count").textContent = `${shown.length.toLocaleString("en")} of ${count(questions.length, "question")}`;
  byId("counted").textContent = told();
  more(Math.max(ROWS, shown.findIndex((q) => q.id === state.q) + 1));
}

// What the list shows and what its counts count, in words.
function told() {
  const cells = scope().cells.length, without = !state.system && index.kinds.some(([, kind]) => kind === "trivial");
  const judged = cells ? `“right” counts ${count(cells, "verdict")} a question` : "nothing is judged";
  return `In the order of their ids; ${judged}${without ? ", trivial baselines left out" : ""}.`;
}

function more(number = ROWS) {
  byId("rows").append(...shown.slice(drawn, drawn + number).map(row));
  drawn = Math.min(shown.length, drawn + number);
  byId("more").hidden = drawn >= shown.length;
  byId("more").textContent = `Show ${Math.min(ROWS, shown.length - drawn)} more of ${(shown.length - drawn).toLocaleString("en")}`;
}

function chooser(name, title, values, told = (value) => value) {
  const options = values.map((value) => element("option", { value }, told(value)));
  return element("label", null, title, element("select", { name }, element("option", { value: "" }, "any"), options));
}

function controls() {
  byId("flags").append(...FLAGS.map(([flag, name]) => element("label", null,
    element("input", { type: "checkbox", name: "filter", value: flag }), ` ${name} `, element("output", { id: `n-${flag}` }))));
  const labels = index.labels.flatMap(([name, values]) => values.map((value) => `${name}=${value}`));
  const axes = AXES.map((axis, a) => chooser(axis, AXIS_NAMES[axis], [...new Set(index.cells.map((cell) => cell[a]))]));
  document.querySelector("#scope .choices").append(chooser("type", "Question type", index.types[0]),
    ...(labels.length ? [chooser("label", "Label", labels)] : []), ...axes);
  if (index.kinds.some(([, kind]) => kind === "trivial")) {
    byId("scope").append(element("p", { class: "muted" }, "Answers of the system trivial count only where it is chosen."));
  }
}

// From the address to the state and the controls, and back.
function readAddress() {
  const told = new URLSearchParams(location.hash.slice(1)), form = byId("filters");
  state.filter = new Set(told.getAll("filter").flatMap((v) => v.split(",")).filter((v) => FLAGS.some(([flag]) => flag === v)));
  for (const name of ["type", "label", "search", "q", ...AXES]) state[name] = told.get(name === "reader_pass" ? "pass" : name) ?? "";
  for (const box of form.querySelectorAll("[name=filter]")) box.checked = state.filter.has(box.value);
  for (const choice of form.querySelectorAll("select")) {
    choice.value = state[choice.name];
    if (choice.selectedIndex < 0) choice.value = state[choice.name] = "";
  }
  state.q ||= bareId();
  byId("search").value = state.search;
  if (["type", "label", ...AXES].some((name) => state[name])) byId("scope").open = true;
}

// An address may also be a question's id and nothing else.
function bareId() {
  const raw = location.hash.slice(1);
  let id = raw;
  try { id = decodeURIComponent(raw); } catch { /* an id may hold a bare percent sign */ }
  return questions.find((q) => q.id === id || q.id === raw)?.id ?? "";
}

function readControls() {
  const told = new FormData(byId("filters"));
  state.filter = new Set(told.getAll("filter"));
  for (const name of ["type", "label", "search", ...AXES]) state[name] = told.get(name) ?? "";
  history.replaceState(null, "", address(state.q));
  draw();
}

function follow() {
  readAddress();
  draw();
  const q = questions.find((one) => one.id === state.q);
  document.body.classList.toggle("opened", Boolean(q));
  byId("question").hidden = !q;
  document.title = q ? `${q.id}, questions of ${index.benchmark}` : `Questions of ${index.benchmark}`;
  if (!q) byId("question").replaceChildren();
  else if (opened !== q.id) showQuestion(q);
  opened = q ? q.id : null;
  rowOf(q)?.scrollIntoView({ block: "nearest" });
}

const rowOf = (q) => q && document.querySelector(`#rows a[data-n="${q.n}"]`);
const goTo = (q) => { if (q) location.hash = address(q.id); };

function neighbour(step) {
  const at = shown.findIndex((q) => q.id === state.q);
  return at < 0 ? (step > 0 ? shown[0] : undefined) : shown[at + step];
}

function closeQuestion() {
  const last = questions.find((q) => q.id === state.q);
  history.pushState(null, "", address(""));  // no hashchange, which would draw the list again and lose the focus
  follow();
  (rowOf(last) ?? byId("search")).focus();
}

function moveFocus(step) {
  const links = [...document.querySelectorAll("#rows a")], at = links.indexOf(document.activeElement);
  if (at + step >= links.length && drawn < shown.length) { more(); moveFocus(step); return; }
  const current = rowOf(shown.find((q) => q.id === state.q));
  (at < 0 ? current ?? links[0] : links[Math.max(0, Math.min(links.length - 1, at + step))])?.focus();
}

function pressed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const target = event.target, typing = target.matches("input[type=search], select, textarea");
  const inside = byId("question").contains(target), key = event.key;
  const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[key];
  if (key === "Escape") {
    if (typing && state.search) { byId("search").value = ""; readControls(); }
    else if (typing) moveFocus(0);
    else if (state.q) closeQuestion();
  } else if (key === "/" && !typing) {
    if (state.q && !byId("list").offsetParent) closeQuestion();
    byId("search").focus();
  } else if (step && target.id === "search" && key === "ArrowDown") {
    byId("rows").querySelector("a")?.focus();
  } else if (step && !typing && inside && "jk".includes(key)) {
    goTo(neighbour(step));
  } else if (step && !typing && !inside && !target.matches("summary, input, button")) {
    moveFocus(step);
  } else return;
  event.preventDefault();
}

function start() {
  if (!index) {
    document.querySelector("header").append(element("p", { class: "notice", role: "alert" }, "questions.js is missing beside this page."));
    return;
  }
  unpack();
  controls();
  byId("filters").addEventListener("input", readControls);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("more").addEventListener("click", () => more());
  addEventListener("keydown", pressed);
  addEventListener("hashchange", follow);
  follow();
}
