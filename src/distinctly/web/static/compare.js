import { ask, byId, checkSize, element, isSmallText, nameCell, numberCell, onDrop, quoted, showCommand, showNotes,
  showSignatures, specOf, table, textsOf, written } from "./common.js";

const examples = JSON.parse(byId("examples").textContent);
const sides = ["reference", "candidate"];
const files = { reference: null, candidate: null };
const permutations = 200;
let running = null;

function chosen() {
  const field = byId("field").value.trim();
  return {
    metrics: byId("metrics").value.split(/\s+/).filter((spec) => spec),
    tokenizer: byId("tokenizer").value,
    explain: 5,
    ...(byId("test").checked ? { permutations } : {}),
    ...(byId("floor").checked ? { noise_floor: true } : {}),
    ...(field && sides.some((side) => files[side]) ? { field } : {}),
  };
}

async function compare(event) {
  event?.preventDefault();
  running?.abort();
  running = new AbortController();
  const missing = sides.find((side) => !files[side] && !textsOf(byId(side).value, "line").length);
  byId("problem").hidden = true;
  if (missing) {
    fail(`The ${missing} has no texts. Paste some, or open a file.`);
    return;
  }
  byId("status").textContent = "Comparing …";
  try {
    show(await answer(chosen(), running.signal));
  } catch (error) {
    if (error.name !== "AbortError") fail(error.message);
  }
}

async function answer(options, signal) {
  if (!files.reference && !files.candidate) {
    const texts = Object.fromEntries(sides.map((side) => [side, textsOf(byId(side).value, "line")]));
    return ask("/api/compare", { ...texts, ...options }, signal);
  }
  const form = new FormData();
  for (const side of sides) {
    const file = files[side] ?? new File([byId(side).value], `${side}.txt`);
    checkSize(file);
    form.append(side === "reference" ? "reference" : "candidates", file);
  }
  form.append("options", JSON.stringify(options));
  return ask("/api/files/compare", form, signal);
}

function fail(message) {
  byId("status").textContent = "";
  byId("results").hidden = true;
  byId("problem").textContent = message;
  byId("problem").hidden = false;
}

function show({ scores, corpora }) {
  const tested = scores.some((score) => score.test);
  const floored = scores.some((score) => score.floor);
  const titles = ["distance", "value", ...(tested ? ["p", "p (Holm)"] : []), ...(floored ? ["noise floor", "times the floor"] : [])];
  const rows = scores.map((score) => element("tr", {},
    nameCell(score, examples.meanings),
    numberCell(score.value, score.undefined),
    ...(tested ? [numberCell(score.test?.p), numberCell(score.test?.p_holm)] : []),
    ...(floored ? [numberCell(score.floor?.mean), numberCell(score.floor?.ratio)] : [])));
  const [reference, candidate] = corpora;
  byId("results").hidden = false;
  byId("distances").replaceChildren(table("0 is the same, larger is farther.", titles, rows,
    titles.slice(1).map((_, place) => place + 1)));
  byId("legend").textContent = [
    tested ? `p: the share of ${permutations} random exchanges of texts that are as far apart; Holm's correction is for all distances together.` : "",
    floored ? "Noise floor: the distance of two random halves of the reference." : "",
  ].filter((sentence) => sentence).join(" ");
  showDrivers(candidate.drivers ?? {});
  showNotes(byId("notes"), scores);
  showSignatures(byId("signatures"), scores);
  showTheCommand();
  byId("status").textContent =
    `${described(reference)} and ${described(candidate)}: ` +
    `${scores.map((score) => `${specOf(score)} ${written(score.value)}`).join(", ")}.`;
}

function described(corpus) {
  return `${corpus.texts.toLocaleString("en")} texts of ${corpus.name}`;
}

function showDrivers(drivers) {
  const parts = [];
  if (drivers.tokens?.length) {
    const rows = drivers.tokens.map((driver) => element("tr", {},
      element("td", { dir: "auto" }, driver.token),
      element("td", { class: "number" }, String(driver.reference)),
      element("td", { class: "number" }, String(driver.candidate)),
      numberCell(driver.share)));
    parts.push(element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Tokens" },
      table("Tokens that differ most", ["token", "reference", "candidate", "share"], rows, [1, 2, 3])));
  }
  for (const [key, title] of [["uncovered", "Texts of the reference that the candidate lacks"],
    ["outside", "Texts of the candidate unlike any of the reference"]]) {
    if (drivers[key]?.texts.length) {
      parts.push(element("div", {}, element("h3", {}, `${title} (${Math.round(drivers[key].share * 100)} %)`),
        element("ul", { class: "notes" }, ...drivers[key].texts.map((text) => element("li", { dir: "auto" }, clipped(text))))));
    }
  }
  byId("drivers").replaceChildren(...(parts.length ? parts : [element("p", {}, "Nothing to show.")]));
}

function clipped(text) {
  return text.length > 300 ? `${Array.from(text.slice(0, 300)).slice(0, 299).join("")}…` : text;
}

function showTheCommand() {
  const options = chosen();
  const names = sides.map((side) => files[side]?.name ?? `${side}.txt`);
  const words = ["distinctly", "compare", ...names, ...options.metrics.flatMap((spec) => ["-m", spec])];
  if (options.tokenizer !== "words") words.push("--tokenizer", options.tokenizer);
  if (options.field) words.push("--field", options.field);
  if (options.permutations) words.push("--permutations", String(options.permutations));
  if (options.noise_floor) words.push("--noise-floor");
  words.push("--explain", "--examples", String(options.explain));
  showCommand(byId("command"), words.map(quoted).join(" "), "");
}

async function take(side, file) {
  files[side] = isSmallText(file) ? null : file;
  byId(side).value = files[side] ? "" : await file.text();
  byId(`${side}-name`).textContent = file.name;
  byId(`${side}-loaded`).hidden = files[side] === null;
}

function put(side, text) {
  files[side] = null;
  byId(side).value = text;
  byId(`${side}-loaded`).hidden = true;
}

for (const side of sides) {
  const input = byId(`${side}-file`);
  byId(`${side}-choose`).addEventListener("click", () => input.click());
  byId(`${side}-clear`).addEventListener("click", () => put(side, ""));
  byId(side).addEventListener("input", () => { files[side] = null; byId(`${side}-loaded`).hidden = true; });
  input.addEventListener("change", () => { if (input.files.length) take(side, input.files[0]); input.value = ""; });
  onDrop(byId(`${side}-drop`), (file) => take(side, file));
}
byId("example").addEventListener("click", () => { for (const side of sides) put(side, examples[side]); compare(); });
byId("form").addEventListener("submit", compare);
