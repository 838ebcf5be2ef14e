import { ask, byId, checkSize, element, isSmallText, nameCell, numberCell, onDrop, quoted, showCommand, showNotes,
  showSignatures, specOf, table, textsOf, written } from "./common.js";

const examples = JSON.parse(byId("examples").textContent);
const names = { distinct: (score) => `Distinct-${score.options.n}`, ead: () => "EAD" };
const longDelay = 800, shortDelay = 200, manyCharacters = 500_000;
// More characters than this take a browser seconds to lay out in a text area.
const mostShown = 1_000_000;
let timer = 0, running = null, file = null, pasted = null;

/** Return the texts that are measured: those of the text area, or a paste that is too long for it. */
const content = () => pasted ?? byId("texts").value;

function chosen() {
  const lowercase = byId("lowercase").checked ? ":lc=yes" : "";
  return {
    unit: document.querySelector("input[name=unit]:checked").value,
    tokenizer: byId("tokenizer").value + lowercase,
    more: byId("more").value.split(/\s+/).filter((spec) => spec),
    n: Number(byId("n").value),
  };
}

function schedule(delay = content().length > manyCharacters ? longDelay : shortDelay) {
  clearTimeout(timer);
  timer = setTimeout(measure, delay);
}

async function measure() {
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  const options = chosen();
  const texts = textsOf(content(), options.unit);
  byId("loaded").hidden = file === null && pasted === null;
  byId("field-part").hidden = file === null;
  byId("splitting").disabled = file !== null;
  if (!file && !texts.length) {
    clear("Paste texts to measure them.");
    return;
  }
  byId("status").textContent = "Measuring …";
  try {
    const answer = file ? await measureFile(options, signal) : await ask("/api/calculate", {
      texts, tokenizer: options.tokenizer, n: options.n, ...(options.more.length ? { metrics: options.more } : {}),
    }, signal);
    show(answer, options);
  } catch (error) {
    if (error.name === "AbortError") return;
    clear("");
    byId("problem").textContent = error.message;
    byId("problem").hidden = false;
  }
}

async function measureFile(options, signal) {
  checkSize(file);
  const form = new FormData();
  const field = byId("field").value.trim();
  form.append("files", file);
  form.append("options", JSON.stringify({
    tokenizer: options.tokenizer,
    metrics: [...examples.file_metrics, ...options.more],
    ...(field ? { field } : {}),
  }));
  const scores = await ask("/api/files/measure", form, signal);
  return { scores, metrics: [...examples.file_metrics, ...options.more], per_text: null, repeated: null };
}

function clear(message) {
  byId("status").textContent = message;
  byId("problem").hidden = true;
  byId("results").hidden = true;
  byId("cards").replaceChildren();
  byId("others").replaceChildren();
}

function show(answer, options) {
  const { scores } = answer.scores;
  const [corpus] = answer.scores.corpora;
  byId("problem").hidden = true;
  byId("results").hidden = false;
  const main = scores.filter((score) => score.metric in names);
  byId("cards").replaceChildren(...main.map(card));
  showOthers(scores.filter((score) => !(score.metric in names)));
  byId("repeated-section").hidden = byId("per-text-section").hidden = answer.repeated === null;
  if (answer.repeated) {
    showRepeated(answer.repeated);
    showTexts(answer.per_text, corpus.texts);
  }
  showNotes(byId("notes"), scores);
  showSignatures(byId("signatures"), scores);
  showTheCommand(answer, options);
  const summary = main.map((score) => `${names[score.metric](score)} ${written(score.value)}`).join(", ");
  byId("status").textContent =
    `${corpus.texts.toLocaleString("en")} text${corpus.texts === 1 ? "" : "s"}, ` +
    `${corpus.tokens.toLocaleString("en")} tokens. ${summary}.`;
}

function card(score) {
  const value = element("span", {
    class: "value", title: score.undefined ?? String(score.value), "data-metric": specOf(score),
    "data-value": score.value,
  }, written(score.value));
  return element("li", { class: "card" }, element("span", { class: "name" }, names[score.metric](score)), value);
}

function showOthers(scores) {
  const rows = scores.map((score) => element("tr", {},
    nameCell(score, examples.meanings), numberCell(score.value, score.undefined)));
  byId("others").replaceChildren(table("Other metrics", ["metric", "value"], rows, [1]));
}

function showRepeated(repeated) {
  byId("highlighted").replaceChildren(...repeated.texts.map((parts) => {
    const line = element("p", { dir: "auto" }, ...parts.map(([text, count]) =>
      count === 1 ? text : element("mark", { class: levelOf(count), title: `${count} times` }, text)));
    if (!parts.length) line.append("\u00a0");
    return line;
  }), ...(repeated.whole ? [] : [element("p", { class: "hint" }, "… Only the beginning is shown and counted here.")]));
  const rows = repeated.most_frequent.map(([ngram, count]) => element("tr", {},
    element("td", { class: "number" }, String(count)), element("td", { class: "text", dir: "auto" }, ngram)));
  byId("most-frequent").replaceChildren(rows.length
    ? table(`Most frequent ${repeated.n}-grams`, ["times", `${repeated.n}-gram`], rows, [0])
    : element("p", {}, `No ${repeated.n}-gram occurs twice.`));
}

function levelOf(count) {
  return count >= 5 ? "often" : count >= 3 ? "several" : "twice";
}

function showTexts(document, total) {
  const metrics = document.metrics;
  const shown = document.rows;
  const lines = textsOf(content(), chosen().unit);
  const rows = shown.map((row, place) => element("tr", {},
    element("td", { class: "number" }, String(place + 1)),
    element("td", { class: "text", dir: "auto" }, clipped(lines[place] ?? "")),
    element("td", { class: "number" }, String(row.tokens)),
    ...metrics.map((metric) => numberCell(row[metric], "Undefined: the text is too short."))));
  const more = total > shown.length ? `; the first ${shown.length} of ${total.toLocaleString("en")}` : "";
  byId("per-text").replaceChildren(table(`One row per text${more}`, ["text", "begins", "tokens", ...metrics], rows,
    [0, 2, ...metrics.map((_, place) => place + 3)]));
}

function clipped(text) {
  const characters = Array.from(text.slice(0, 200));
  return characters.length > 80 ? `${characters.slice(0, 80).join("")}…` : text;
}

function showTheCommand(answer, options) {
  const name = file ? file.name : options.unit === "line" ? "texts.txt" : "texts.jsonl";
  const field = file ? byId("field").value.trim() : "";
  const words = ["distinctly", "measure", name, ...answer.metrics.flatMap((spec) => ["-m", spec])];
  if (options.tokenizer !== "words") words.push("--tokenizer", options.tokenizer);
  if (field) words.push("--field", field);
  const remark = file ? "" : options.unit === "line"
    ? "texts.txt has one text per line." : "texts.jsonl has one text per line, as JSON.";
  showCommand(byId("command"), words.map(quoted).join(" "), remark);
  if (!file) {
    const save = element("button", { type: "button", class: "small" }, `Save ${name}`);
    save.addEventListener("click", () => saveTexts(name, options.unit));
    byId("command").querySelector(".buttons").append(save);
  }
}

function saveTexts(name, unit) {
  const texts = textsOf(content(), unit);
  const lines = unit === "line" ? texts : texts.map((text) => JSON.stringify({ text }));
  const url = URL.createObjectURL(new Blob([lines.map((line) => `${line}\n`).join("")], { type: "text/plain" }));
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

async function take(taken) {
  file = pasted = null;
  if (isSmallText(taken)) {
    byId("texts").value = await taken.text();
  } else {
    file = taken;
    byId("texts").value = "";
    byId("loaded-name").textContent = `The file ${taken.name} is measured.`;
  }
  schedule(0);
}

function put(text) {
  file = pasted = null;
  byId("texts").value = text;
  schedule(0);
}

/** Keep a long paste out of the text area. */
function onPaste(event) {
  const text = event.clipboardData.getData("text/plain").replace(/\r\n?/g, "\n");
  if (text.length <= mostShown) return;
  event.preventDefault();
  put("");
  pasted = text;
  byId("loaded-name").textContent = `${(text.length / 1e6).toFixed(1)} million pasted characters are measured, too many to show here.`;
}

byId("texts").addEventListener("input", (event) => {
  if (byId("texts").value) file = pasted = null;
  schedule(...(event.inputType === "insertFromPaste" ? [0] : []));
});
byId("texts").addEventListener("paste", onPaste);
byId("controls").addEventListener("input", () => schedule());
byId("controls").addEventListener("submit", (event) => event.preventDefault());
byId("field").addEventListener("input", () => schedule());
byId("n").addEventListener("input", () => schedule());
byId("example").addEventListener("click", () => put(examples.english));
byId("chinese").addEventListener("click", () => put(examples.chinese));
byId("clear").addEventListener("click", () => { put(""); byId("texts").focus(); });
byId("unload").addEventListener("click", () => put(""));
byId("choose").addEventListener("click", () => byId("file").click());
byId("file").addEventListener("change", () => { if (byId("file").files.length) take(byId("file").files[0]); byId("file").value = ""; });
onDrop(byId("drop"), take);
if (byId("texts").value) schedule();
