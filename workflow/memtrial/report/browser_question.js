// One question: all that is known of it, each text put in as text, each hash taken again on demand.

const NOT_RELEASED = "the source holds no answer texts";
const FOLDED = 40000;  // characters of a packet up to which all its slots stand open

async function sha256(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const hasDigest = () => Boolean(globalThis.crypto?.subtle);
const NO_DIGEST = "this browser takes no hashes on a page opened from disk";

// A button that takes the hash of a text again; `text` gives it, perhaps after loading it.
function check(what, expected, text) {
  const result = element("output", null);
  const told = (right, words) => { result.className = right ? "right" : "wrong"; result.value = words; };
  const run = async () => {
    if (!hasDigest()) return told(false, NO_DIGEST);
    try {
      const same = (await sha256(await text())) === expected;
      return told(same, same ? "the text here has this hash" : "the text here has another hash");
    } catch (error) { return told(false, error.message); }
  };
  return element("span", null, element("code", { class: "hash" }, expected), " ",
    element("button", { type: "button", "aria-label": `Check the hash of ${what}`, click: run }, "Check"), " ", result);
}

// Every hash that the page can take again: [of what, the recorded one, how to get the text].
function hashesOf(data) {
  const texts = data.texts, request = (what, r, packet) => (r ? [[what, r.sha256, () => hashedText(r, texts, packet)]] : []);
  return data.systems.flatMap((s) => [
    ...(s.packet ? [[`packet of ${s.name}`, s.packet.sha256, () => load(s.packet.sha256)]] : []),
    ...(s.scaffold ? [[`scaffold of ${s.name}`, s.scaffold.sha256, async () => texts[s.scaffold.text]]] : []),
    ...s.readers.flatMap((r) => [
      ...request(`request of ${s.name} to ${r.name}`, r.request, s.packet),
      ...r.passes.flatMap((p) => p.judges.flatMap((j) => {
        const where = `${s.name}, ${r.name}, pass ${p.name}`;
        const answer = p.answer && j.answer_sha256 ? [[`answer judged by ${j.name}, ${where}`, j.answer_sha256, async () => texts[p.answer.answer]]] : [];
        return [...answer, ...request(`request to ${j.name}, ${where}`, j.request, null)];
      })),
    ]),
  ]);
}

function checkAll(data) {
  const result = element("output", { id: "checked" });
  const run = async () => {
    if (!hasDigest()) { result.value = NO_DIGEST; return; }
    const all = hashesOf(data), other = [];
    for (const [what, expected, text] of all) {
      const found = await text().then(sha256).catch((error) => error.message);
      if (found !== expected) other.push(what);
    }
    result.className = other.length ? "wrong" : all.length ? "right" : "unjudged";
    const fine = all.length ? `all ${all.length} hashes are those of the texts here` : "no text is here whose hash could be checked";
    result.value = other.length ? `${other.length} of ${all.length} differ: ${other.join("; ")}` : fine;
  };
  return element("p", null, element("button", { type: "button", click: run }, "Check all hashes of this question"), " ", result);
}

function facts(pairs) {
  const told = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return element("dl", { class: "facts" }, told.map(([name, value]) => [element("dt", null, name),
    element("dd", null, value instanceof Node ? value : element("bdi", null, String(value)))]));
}

const hash = (value) => (value ? element("code", { class: "hash" }, value) : null);
const yes = (value) => (value === null ? null : value ? "yes" : "no");

// A fold whose content is made when it is opened first.
function fold(summary, fill, attributes = {}) {
  const made = element("details", attributes, element("summary", null, summary));
  const place = element("p", { class: "placeholder" }, "loading …");
  let filled = false;
  const now = async () => {
    if (filled || !made.open) return;
    filled = true;
    made.append(place);
    try { place.replaceWith(...[await fill()].flat()); } catch (error) { place.textContent = error.message; filled = false; }
  };
  made.addEventListener("toggle", now);
  return made;
}

function verdictWord(verdict) {
  const word = verdict.correct === null ? verdict.status : verdict.correct ? "right" : "wrong";
  const shape = { right: "✓ ", wrong: "✗ " }[word] ?? "";
  return element("span", { class: verdict.correct === null ? "unjudged" : word }, shape + word);
}

function table(name, head, rows) {
  const cells = (row) => row.map((cell, n) => element(n ? "td" : "th", n ? { "data-name": head[n] } : { scope: "row" }, element("span", null, cell ?? "–")));
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name }, element("table", null,
    element("thead", null, element("tr", null, head.map((cell) => element("th", { scope: "col" }, cell)))),
    element("tbody", null, rows.map((row) => element("tr", null, cells(row))))));
}

function goldPart(data) {
  const references = data.gold.map((text) => element("p", { class: "said", dir: "auto" }, text));
  const disputed = data.disputed.map((d) => element("div", { class: "notice" },
    element("strong", null, `Disputed: ${d.kind}`), ` (${d.source}). `,
    { true: "By this source a right answer would be judged otherwise. ", false: "By this source no score changes. " }[d.changes_score] ?? "",
    element("span", { dir: "auto" }, d.detail)));
  const systems = data.systems.filter((s) => s.packet);
  const form = (system, position) => [...new Set(system.packet.slots.filter((s) => s.position === position).map((s) => s.form))].join(", ");
  const rows = data.evidence.map(([position, date, turn, source, resolved]) => [
    element("bdi", null, source), resolved ? `${position}, ${date}` : "not found in the history", turn === null ? "whole session" : `turn ${turn}`,
    ...systems.map((s) => (!resolved ? "–" : form(s, position) || element("span", { class: "wrong" }, "not there")))]);
  return element("section", { "aria-label": "Gold" }, element("h3", null, "Gold"), disputed,
    references.length ? references : element("p", null, "No reference answer is given."),
    facts([["question type", data.type], ["abstention", data.abstention ? "yes: the history does not hold the answer" : null], ...data.labels]),
    element("h4", null, "Evidence"),
    rows.length ? table("Evidence", ["reference", "session", "turn", ...systems.map((s) => `in ${s.name}`)], rows)
      : element("p", null, "No evidence is given."),
    rows.length && systems.length ? element("p", { class: "muted" }, "The last columns say in which form a packet has the session: whole, or a part of it, which need not hold the turn.") : null);
}

const released = (answer) => answer.error !== NOT_RELEASED;

function answerWord(answer, texts) {
  if (!released(answer)) return element("span", { class: "muted" }, "not released");
  if (answer.status !== "ok") return element("span", { class: "unjudged" }, `${answer.status}: ${answer.error ?? "no answer"}`);
  return element("bdi", null, texts[answer.answer]);
}

function overview(data) {
  const judges = [...new Set(data.systems.flatMap((s) => s.readers.flatMap((r) => r.passes.flatMap((p) => p.judges.map((j) => j.name)))))];
  const rows = data.systems.flatMap((s) => s.readers.flatMap((r) => r.passes.map((p) => [
    `${s.name}, ${r.name}, pass ${p.name}`, p.answer ? answerWord(p.answer, data.texts) : null,
    ...judges.map((name) => { const j = p.judges.find((one) => one.name === name); return j ? verdictWord(j) : null; })])));
  return element("section", { "aria-label": "Answers and verdicts" }, element("h3", null, "Answers and verdicts"),
    table("Answers and verdicts", ["system, reader, pass", "answer", ...judges], rows), checkAll(data));
}

function withGaps(text) {
  const parts = text.split(/^(\[\.\.\. \d+ lines elided \.\.\.\])$/m);
  return parts.map((part, n) => (n % 2 ? element("span", { class: "gap" }, part) : part));
}

function slotFold(slot, text, gold, open) {
  const left = slot.elided_lines ? ` · ${count(slot.elided_lines, "line")} elided` : "";
  const size = `${slot.chars.toLocaleString("en")} of ${count(slot.original_chars, "character")}${left}`;
  const summary = [element("strong", null, slot.name), ` · ${slot.date} · `,
    element("span", { class: slot.form === "whole" ? "tag" : "tag warn" }, slot.form), gold ? element("span", { class: "tag" }, "gold evidence") : null,
    element("small", null, ` ${slot.origin}, session ${slot.position} of the history · ${size}`)];
  return fold(summary, () => element("pre", { class: "text", dir: "auto" }, withGaps(text.slice(...slot.span))), { open, "data-gold": gold });
}

function packetPart(data, system) {
  const packet = system.packet, gold = new Set(data.evidence.filter(([, , , , resolved]) => resolved).map(([position]) => position));
  const text = () => load(packet.sha256);
  const size = `${count(packet.slots.length, "slot")}, ${count(packet.chars, "character")}, ${packet.proxy_tokens.toLocaleString("en")} proxy tokens`;
  const fill = async () => {
    const whole = await text();
    const slots = packet.slots.map((slot) => slotFold(slot, whole, gold.has(slot.position), packet.chars <= FOLDED || gold.has(slot.position)));
    const all = (open) => () => slots.forEach((slot) => { slot.open = open; });
    return [facts([["layout", packet.layout], ["tokens of the budget's tokenizer", packet.tokens], ["sha256", check("the packet", packet.sha256, text)]]),
      element("p", { class: "bar" }, element("button", { type: "button", click: all(true) }, "Open all slots"),
        element("button", { type: "button", click: all(false) }, "Close all")),
      ...slots, packet.slots.length ? null : element("p", null, "The packet is empty: no session is shown to the reader."),
      dropped(packet),
      element("p", { class: "muted" }, "A page that shows elided lines where they stood is made on demand: ",
        element("code", null, `snakemake 'results/${index.benchmark}/${system.name}/questions/${data.id}.html'`))].filter(Boolean);
  };
  return fold([element("strong", null, "Packet"), element("small", null, ` ${size}`)], fill);
}

function dropped(packet) {
  if (!packet.dropped.length) return null;
  const rows = packet.dropped.map(([position, date, rank, chars, reason]) => [`${position}, ${date}`, rank, chars.toLocaleString("en"), reason]);
  return fold(`${count(rows.length, "candidate")} considered and left out`, () => table("Dropped candidates", ["session", "rank", "characters", "reason"], rows.map((r) => r.map(String))));
}

function scaffoldPart(data, scaffold) {
  const text = data.texts[scaffold.text];
  const told = text ? `${scaffold.operators.join(", ")} · ${count(text.length, "character")}` : `none (${scaffold.absence || "no reason recorded"})`;
  return fold([element("strong", null, "Scaffold"), element("small", null, ` ${told}`)], () => [
    facts([["version", scaffold.version], ...scaffold.cues.map(([operator, words]) => [`words for ${operator}`, `“${words}”`]),
      ["sha256", check("the scaffold", scaffold.sha256, async () => text)]]),
    text ? element("pre", { class: "text", dir: "auto" }, text) : element("p", null, "There is no text.")]);
}

async function rebuilt(request, texts, packet) {
  const whole = async (piece) => (piece < 0 ? load(packet.sha256) : texts[piece]);
  const messages = [];
  for (const [role, pieces] of request.messages) messages.push({ content: (await Promise.all(pieces.map(whole))).join(""), role });
  return messages;
}

// What a request's hash is of: canonical JSON of [messages, parameters], which JSON.stringify writes as Python does.
async function hashedText(request, texts, packet) {
  return `[${JSON.stringify(await rebuilt(request, texts, packet))},${texts[request.parameters]}]`;
}

function requestPart(what, request, texts, packet) {
  if (!request) return null;
  const fill = async () => [
    facts([["parameters", element("code", null, texts[request.parameters])], ["context", element("code", null, texts[request.context])],
      ["sha256", check(`the request to the ${what}`, request.sha256, () => hashedText(request, texts, packet))]]),
    ...(await rebuilt(request, texts, packet)).flatMap(({ role, content }) => [
      element("p", { class: "muted" }, `${role}, ${count(content.length, "character")}`), element("pre", { class: "text", dir: "auto" }, content)])];
  return fold([element("strong", null, `Complete request to the ${what}`), element("small", null, ` ${count(request.chars, "character")}`)], fill);
}

function judgePart(data, judge, answer) {
  const texts = data.texts, same = answer && released(answer) && judge.answer_sha256;
  const own = judge.request ? null : element("p", { class: "muted" }, judge.model_requested.startsWith("memtrial/")
    ? "Judged by rule: no model was asked." : judge.status === "judged" ? "An imported verdict: its request is not known." : "No request was sent.");
  return fold([element("strong", null, `Judge ${judge.name}: `), verdictWord(judge), judge.grade === null ? null : element("small", null, ` grade ${judge.grade}`)], () => [
    facts([["status", judge.status], ["error", judge.error], ["official reading of the same reply", yes(judge.official)],
      ["model", judge.model_requested], ["model that replied", judge.model_resolved], ["protocol", judge.protocol], ["attempts", judge.attempts],
      ["template sha256", hash(judge.template_sha256)], ["request sha256", hash(judge.request_sha256)],
      ["sha256 of the answer judged", same ? check("the answer", judge.answer_sha256, async () => texts[answer.answer]) : hash(judge.answer_sha256) ?? "not known"]]),
    texts[judge.raw] ? [element("p", { class: "muted" }, "The judge's own words"), element("p", { class: "said", dir: "auto" }, texts[judge.raw])] : null,
    own, requestPart(`judge ${judge.name}`, judge.request, texts, null)].flat().filter(Boolean));
}

function passPart(data, system, reader, one) {
  const answer = one.answer, texts = data.texts, heading = element("h4", null, `${reader.name}, pass ${one.name}`);
  if (!answer) return element("section", { class: "pass" }, heading, element("p", null, "There is no answer."));
  const raw = texts[answer.raw], differs = raw && raw !== texts[answer.answer];
  const known = answer.request_sha256 ? null : "nothing is known of what this reader was shown";
  return element("section", { class: "pass", "aria-label": `${system.name}, ${reader.name}, pass ${one.name}` }, heading,
    released(answer) ? null : element("p", { class: "notice" }, "The source made no answer texts public; only verdicts on them."),
    element("p", { class: "said", dir: "auto" }, answerWord(answer, texts)),
    fold("Raw reply, model, usage and hashes", () => [
      differs ? [element("p", { class: "muted" }, "The whole reply"), element("p", { class: "said", dir: "auto" }, raw)] : null,
      texts[answer.reasoning] ? [element("p", { class: "muted" }, "Reasoning"), element("p", { class: "said", dir: "auto" }, texts[answer.reasoning])] : null,
      facts([["status", answer.status], ["error", answer.error], ["finish reason", answer.finish_reason], ["model", answer.model_requested],
        ["model that replied", answer.model_resolved], ["usage", answer.usage.map(([name, n]) => `${name} ${n.toLocaleString("en")}`).join(", ")],
        ["attempts", answer.attempts], ["request sha256", hash(answer.request_sha256) ?? known],
        ["packet sha256", hash(answer.packet_sha256)], ["scaffold sha256", hash(answer.scaffold_sha256)]])].flat().filter(Boolean)),
    one.judges.map((judge) => judgePart(data, judge, answer)));
}

const KIND_NOTES = {
  external: "An external system: its answers were imported, and it has no packets or scaffolds here.",
  trivial: "Baselines that no memory made: they show what a judge gives to such answers.",
};

function systemPart(data, system) {
  const kind = new Map(index.kinds).get(system.name);
  const oracle = index.oracles.includes(system.name) ? element("span", { class: "mark" }, "oracle: has what no deployed memory has") : null;
  return element("section", { class: "system", "aria-label": `System ${system.name}` }, element("h3", null, `System ${system.name} `, oracle),
    KIND_NOTES[kind] ? element("p", { class: "muted" }, KIND_NOTES[kind]) : null,
    system.packet ? packetPart(data, system) : null, system.scaffold ? scaffoldPart(data, system.scaffold) : null,
    system.readers.map((reader) => [requestPart(`reader ${reader.name}`, reader.request, data.texts, system.packet),
      ...reader.passes.map((one) => passPart(data, system, reader, one))]));
}

function head(q, data) {
  const step = (by, name) => element("button", { type: "button", disabled: !neighbour(by), click: () => goTo(neighbour(by)) }, name);
  const heading = element("h2", { tabindex: "-1", lang: data.language, dir: "auto" }, data.question);
  const options = data.options.length ? element("ol", { lang: data.language }, data.options.map((o) => element("li", { dir: "auto" }, o))) : null;
  return [element("nav", { class: "bar", "aria-label": "Between questions" },
    element("button", { type: "button", click: closeQuestion }, "Back to the list"), step(-1, "Previous"), step(1, "Next")),
  element("p", { class: "muted" }, "Question ", element("code", null, q.id), ` of conversation `, element("code", null, data.conversation), ` · asked ${data.asked}`),
  heading, options];
}

async function showQuestion(q) {
  const place = byId("question");
  place.replaceChildren(element("p", { class: "placeholder" }, "loading …"));
  try {
    const data = await load(String(q.n + 1).padStart(4, "0"));
    if (state.q !== q.id) return;
    place.replaceChildren(...head(q, data).filter(Boolean), goldPart(data), overview(data), ...data.systems.map((system) => systemPart(data, system)));
    place.querySelector("h2").focus({ preventScroll: true });
    scrollTo(0, 0);
  } catch (error) {
    opened = null;
    place.replaceChildren(element("p", { class: "notice", role: "alert" }, error.message));
  }
}
