// Parts that several pages share. Texts are hostile: nothing here, or elsewhere, writes HTML.

/** Make an element; strings among the children become text nodes. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** Return the element with an id. */
export const byId = (id) => document.getElementById(id);

/** Return the texts of the text area: lines, as the command reads them, or paragraphs. */
export function textsOf(value, unit) {
  if (value === "") return [];
  if (unit === "paragraph") return value.split(/\n[ \t]*\n+/).map((text) => text.trim()).filter((text) => text);
  const lines = value.split("\n");
  if (lines[lines.length - 1] === "") lines.pop();
  return lines;
}

/** Send a request, and return the answer; an error has the message of the server. */
export async function ask(path, body, signal) {
  const isForm = body instanceof FormData;
  let answer;
  try {
    answer = await fetch(path, {
      method: "POST",
      body: isForm ? body : JSON.stringify(body),
      headers: isForm ? {} : { "Content-Type": "application/json" },
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server does not answer. Is `distinctly serve` still running?");
  }
  const result = await answer.json().catch(() => ({ error: `The server answered with status ${answer.status}.` }));
  if (!answer.ok) throw new Error(result.error);
  return result;
}

/** Write a number with four decimals, or with more if it is small. */
export function written(value) {
  if (value === null || value === undefined) return "undefined";
  if (Number.isInteger(value) && Math.abs(value) >= 100) return value.toLocaleString("en");
  const size = Math.abs(value);
  return size === 0 || size >= 0.001 ? value.toFixed(4) : value.toPrecision(3);
}

/** Return a cell of a table with a number, whose full precision is its title. */
export function numberCell(value, reason = "") {
  const shown = value === null || value === undefined ? "–" : written(value);
  const attributes = { class: "number", title: value === null || value === undefined ? reason : String(value) };
  if (value !== null && value !== undefined) attributes["data-value"] = String(value);
  return element("td", attributes, shown);
}

/** Return the first cell of a row: the name of a metric, and what it means. */
export function nameCell(score, meanings) {
  return element("th", { scope: "row" }, element("span", { class: "name" }, specOf(score)),
    element("span", { class: "meaning" }, meanings[score.metric] ?? ""));
}

/** Return a table from titles and rows of cells; `numbers` are the places of columns of numbers. */
export function table(caption, titles, rows, numbers = []) {
  const head = element("tr", {}, ...titles.map((title, place) =>
    element("th", { scope: "col", class: numbers.includes(place) ? "number" : null }, title)));
  return element("table", {},
    element("caption", {}, caption), element("thead", {}, head), element("tbody", {}, ...rows));
}

/** Return a button that copies text. */
export function copyButton(text, what) {
  const button = element("button", { type: "button", class: "small", "aria-label": `Copy ${what}` }, "Copy");
  button.addEventListener("click", async () => {
    const done = await copied(text);
    button.textContent = done ? "Copied" : "Select and copy it";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  return button;
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;  // not allowed, as on a page without encryption from another machine
  }
}

/** Show notes, each once, with the metrics that they are about. */
export function showNotes(place, scores) {
  const owners = new Map();
  for (const score of scores) {
    const name = specOf(score);
    const notes = score.undefined ? [`Undefined: ${score.undefined}`, ...score.notes] : score.notes;
    for (const note of notes) owners.set(note, [...(owners.get(note) ?? []), name]);
  }
  const items = [...owners].map(([note, names]) => {
    const about = names.length === scores.length ? "" : `${[...new Set(names)].join(", ")}: `;
    return element("li", {}, about + note);
  });
  place.replaceChildren(items.length ? element("ul", { class: "notes" }, ...items) : element("p", {}, "None."));
}

/** Show signatures, each with a button that copies it. */
export function showSignatures(place, scores) {
  place.replaceChildren(element("ul", { class: "signatures" }, ...scores.map((score) =>
    element("li", {}, copyButton(score.signature, `the signature of ${specOf(score)}`),
      element("code", {}, score.signature)))));
}

/** Show a command, with a button that copies it. */
export function showCommand(place, text, remark) {
  place.replaceChildren(element("pre", {}, text), element("div", { class: "buttons" },
    copyButton(text, "the command")), ...(remark ? [element("p", { class: "hint" }, remark)] : []));
}

/** Return the name of a score with its most important options. */
export function specOf(score) {
  const { n, pool } = score.options;
  const words = [n === undefined ? null : `n=${n}`, pool && pool !== "corpus" && pool !== "text" ? `pool=${pool}` : null];
  const shown = words.filter((word) => word);
  return shown.length ? `${score.metric}:${shown.join(",")}` : score.metric;
}

/** Write a word of a command so that a shell reads it as it is. */
export const quoted = (word) => /^[\w:=.,/@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** Let files be dropped on an element. */
export function onDrop(place, take) {
  const stop = (event) => {
    if (![...event.dataTransfer.types].includes("Files")) return false;
    event.preventDefault();
    return true;
  };
  place.addEventListener("dragover", (event) => { if (stop(event)) place.classList.add("over"); });
  place.addEventListener("dragleave", () => place.classList.remove("over"));
  place.addEventListener("drop", (event) => {
    place.classList.remove("over");
    if (stop(event) && event.dataTransfer.files.length) take(event.dataTransfer.files[0], event.dataTransfer.files);
  });
}

/** Return whether a file is lines of text that can be shown in the page. */
export const isSmallText = (file) => /\.(txt|text|md)$/i.test(file.name) && file.size <= 1_000_000;

/** Raise if a file is larger than the server accepts, before it is sent. */
export function checkSize(file) {
  const limit = Number(document.body.dataset.bodyLimit);
  if (file.size > limit) {
    throw new Error(`${file.name} has ${Math.round(file.size / 1e6)} MB; this server accepts ${Math.round(limit / 1e6)} MB. ` +
      "Use the command: distinctly measure FILE.");
  }
}
