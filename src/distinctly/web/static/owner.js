// The page of the owner: it asks for the state of the study every few seconds, unless it is hidden.
import { ask, byId, element, table } from "./common.js";

const EVERY = 5000;
const LEAST_AGREEMENT = 0.65;
const SVG = "http://www.w3.org/2000/svg";
const base = location.pathname.replace(/\/+$/, "");
let timer = null;
let shown = "";

async function update() {
  clearTimeout(timer);
  if (document.hidden) return;
  try {
    const answer = await fetch(`${base}/state`);
    if (!answer.ok) throw new Error((await answer.json()).error);
    const text = await answer.text();
    if (text !== shown) show(JSON.parse(text));  // what is read or selected is not replaced by the same
    shown = text;
    said(`Updated at ${new Date().toLocaleTimeString("en-GB")}`, false);
  } catch (error) {
    const problem = error instanceof TypeError ? "The server does not answer." : error.message;
    said(`Not up to date. ${problem} It is tried again by itself.`, true);
  }
  clearTimeout(timer);
  timer = setTimeout(update, EVERY);
}

function said(text, isFailed) {
  byId("updated").textContent = text;
  byId("updated").classList.toggle("failed", isFailed);
  byId("updated").setAttribute("aria-live", isFailed ? "polite" : "off");
}

function show(state) {
  const scored = state.annotators.reduce((sum, each) => sum + each.scored, 0);
  const wanted = state.annotators.reduce((sum, each) => sum + each.sets, 0);
  const card = (name, value) => element("li", { class: "card" }, element("span", { class: "name" }, name), element("span", { class: "value" }, value));
  byId("cards").replaceChildren(
    card("sets scored", `${count(scored)} of ${count(wanted)}`),
    card("answers in the last 60 minutes", count(state.last_hour)),
    card("scores that were changed", count(state.changed)),
    card("comments", count(state.comments)));
  showAnnotators(state.annotators);
  showHours(state.hours);
  showMethods(state.methods);
}

function showAnnotators(annotators) {
  const rows = annotators.map((each) => element("tr", {},
    name(each.simulated ? `${each.annotator} (simulated)` : each.annotator),
    cell(`${count(each.complete)} of ${count(each.packages)}`), cell(`${count(each.scored)} of ${count(each.sets)}`),
    element("td", {}, each.last ? moment(each.last) : "–"), cell(count(each.last_hour)),
    agreement(each.average), agreement(each.others)));
  byId("annotators").replaceChildren(table("", ["annotator", "packages complete", "sets scored", "last answer",
    "answers in 60 minutes", "agreement with average", "agreement with others"], rows, [1, 2, 4, 5, 6]));
}

function showMethods(methods) {
  const sorted = [...methods].sort((first, second) => (second.mean ?? -Infinity) - (first.mean ?? -Infinity));
  const rows = sorted.map((each) => element("tr", {}, name(each.method),
    cell(each.mean === null ? "–" : each.mean.toFixed(2)), cell(count(each.scores))));
  byId("methods").replaceChildren(table("", ["method", "mean score", "scores"], rows, [1, 2]));
}

/** Draw one bar per hour; the numbers are also in the description. */
function showHours(hours) {
  const most = Math.max(1, ...hours);
  const present = new Date();
  const label = (ago) => {
    const hour = new Date(present.getTime() - ago * 3600_000).getHours();
    return `${String(hour).padStart(2, "0")}:00`;
  };
  const busy = hours.map((number, place) => [number, hours.length - 1 - place]).filter(([number]) => number);
  const summary = busy.length ? busy.map(([number, ago]) => `${label(ago)}: ${count(number)}`).join(", ") : "none";
  const picture = drawn("svg", { viewBox: "0 0 240 60", class: "bars", role: "img", "aria-label": `Answers per hour in the last 24 hours: ${summary}`, preserveAspectRatio: "none" });
  hours.forEach((number, place) => {
    const height = number ? Math.max(1, 56 * number / most) : 0;
    const bar = drawn("rect", { x: place * 10 + 1, y: 58 - height, width: 8, height });
    const hint = drawn("title");
    hint.textContent = `${label(hours.length - 1 - place)}: ${count(number)}`;
    bar.append(hint);
    picture.append(bar);
  });
  picture.append(drawn("line", { x1: 0, x2: 240, y1: 58.5, y2: 58.5 }));
  byId("hours").replaceChildren(picture, element("p", { class: "hint" },
    `The last 24 hours, from ${label(23)} to now; the most in an hour: ${count(Math.max(0, ...hours))}.`));
}

function drawn(tag, attributes = {}) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const count = (number) => number.toLocaleString("en");
const cell = (text) => element("td", { class: "number" }, text);
const name = (text) => element("th", { scope: "row", class: "text", dir: "auto" }, text);

function agreement(value) {
  if (value === null) return cell("–");
  return element("td", { class: `number${value < LEAST_AGREEMENT ? " low" : ""}`, title: String(value) }, value.toFixed(3));
}

function moment(text) {
  const time = new Date(text);
  const shownTime = time.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  return element("time", { datetime: text, title: text }, shownTime);
}

// --- The analysis, which is computed on request -----------------------------------------------------------------------

byId("analysis-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  byId("analyse").disabled = true;
  byId("analysis-problem").hidden = true;
  byId("analysis-status").textContent = "Computing …";
  try {
    const metrics = byId("metrics").value.split(/\s+/).filter((word) => word);
    const body = { rescale: byId("rescale").value, agreement_with: byId("agreement").value };
    const result = await ask(`${base}/correlations`, metrics.length ? { ...body, metrics } : body);
    byId("analysis").replaceChildren(...result.blocks.flatMap(block));
    byId("analysis-status").textContent = `Computed at ${new Date().toLocaleTimeString("en-GB")}.`;
  } catch (error) {
    byId("analysis-status").textContent = "";
    byId("analysis-problem").textContent = error.message;
    byId("analysis-problem").hidden = false;
  }
  byId("analyse").disabled = false;
});

/** Return the elements of a block of the analysis. */
function block(given) {
  if (given.kind === "paragraph") return [element("p", {}, given.text)];
  if (given.kind === "notes") {
    return given.items.length ? [element("h3", {}, "Notes"), element("ul", { class: "notes" }, ...given.items.map((item) => element("li", {}, item)))] : [];
  }
  const kinds = given.columns.map((column) => column.kind);
  const numbers = kinds.flatMap((kind, place) => (kind === "number" ? [place] : []));
  const rows = given.rows.map((cells, place) => element("tr", { class: given.sections.includes(place) ? "section" : null },
    ...cells.map((each, column) => {
      const classes = [kinds[column] === "number" ? "number" : "text", each.best ? "best" : ""].join(" ").trim();
      return column === 0 ? element("th", { scope: "row", class: "text" }, each.text) : element("td", { class: classes }, each.text);
    })));
  const made = table(given.meaning, given.columns.map((column) => column.title), rows, numbers);
  const region = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Analysis: ${given.title || "table"}` }, made);
  return given.title ? [element("h3", {}, given.title), region] : [region];
}

for (const link of document.querySelectorAll("[data-file]")) link.href = `${base}/${link.dataset.file}`;
document.addEventListener("visibilitychange", update);
update();
