// The page of an annotator: instructions, packages of sets in columns, and the end.
import { byId, element } from "./common.js";
import { LOST_LINK, Outbox } from "./saving.js";

class LostLinkError extends Error {}

const LONG = 4000;
const [SLIDER_PAUSE, TYPING_PAUSE] = [400, 700];
const main = byId("content");
const { memory, started } = main.dataset;
const [low, high, step, packages] = ["low", "high", "step", "packages"].map((name) => Number(main.dataset[name]));
const first = Number(main.dataset.first);
const base = location.pathname.replace(/\/+$/, "");
const loaded = new Map();
let incomplete = null;
let current = null;
let cards = [];
const outbox = new Outbox(memory, base, refresh);

const slotOf = (place, column) => `${place}/${column}`;
const scoreOf = (place, set) => outbox.pending(slotOf(place, set.column))?.score ?? set.score;
const decimals = (String(step).split(".")[1] ?? "").length;

// --- Where we are: the part of the address after "#" -----------------------------------------------------------------

function route() {
  const place = Number(/^#package-(\d{1,6})$/.exec(location.hash)?.[1] ?? 0);
  if (place >= 1 && place <= packages) show(place);
  else if (location.hash === "#end") showEnd();
  else if (location.hash === "#instructions") showInstructions();
  else if (location.hash === "") begin();
  else if (location.hash !== "#content") showInstructions();
}

/** Begin with the instructions; who has begun before continues at the first incomplete package. */
async function begin() {
  if (started !== "true" && !outbox.wasUsed) return showInstructions();
  // What is incomplete may have changed since the page was written: answers that had waited are saved by now.
  await load(first || 1).catch(() => {});
  const place = nextIncomplete();
  location.replace(place ? `#package-${place}` : "#end");
}

const go = (place) => { location.hash = place > packages ? "#end" : `#package-${place}`; };

function only(name) {
  for (const section of ["introduction", "package", "end"]) byId(section).hidden = section !== name;
  byId("top").hidden = name === "introduction" && started !== "true" && !loaded.size;
  byId("show-instructions").hidden = name === "introduction";
  byId("problem").hidden = true;
}

function showInstructions() {
  current = null;
  only("introduction");
  const place = nextIncomplete();
  byId("start").textContent = started === "true" || loaded.size ? (place ? `Continue with package ${place}` : "Continue") : "Start";
  refresh();
}

const nextIncomplete = () => (incomplete === null ? first : incomplete.values().next().value ?? 0);

// --- One package -----------------------------------------------------------------------------------------------------

async function load(place) {
  if (!loaded.has(place)) {
    const answer = await fetch(`${base}/packages/${place}`);
    if (answer.status === 404) throw new LostLinkError(LOST_LINK);
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const document = await answer.json();
    loaded.set(place, document);
    if (incomplete === null) incomplete = new Set(document.incomplete);
  }
  return loaded.get(place);
}

async function show(place) {
  let shown;
  try {
    shown = await load(place);
  } catch (error) {
    only(current === null ? "none" : "package");
    const isLost = error instanceof LostLinkError;
    byId("problem").textContent = isLost ? error.message : "The package could not be loaded. It is tried again in a few seconds.";
    byId("problem").hidden = false;
    if (!isLost) setTimeout(route, 3000);
    return;
  }
  current = shown;
  only("package");
  byId("package-title").textContent = `Package ${place} of ${packages}`;
  document.title = `${place} of ${packages} – ${document.querySelector(".study-name").textContent}`;
  cards = shown.sets.map((set) => card(place, set));
  byId("sets").replaceChildren(...cards.map((each) => each.root));
  byId("sets").scrollTo(0, 0);
  byId("previous").disabled = place === 1;
  byId("next").textContent = place === packages ? "Finish" : "Next";
  const comment = outbox.pending(`${place}/comment`)?.text ?? shown.comment;
  byId("comment").value = comment;
  byId("comment-box").open = comment !== "";
  scrollTo(0, 0);
  byId("package-title").focus({ preventScroll: true });
  refresh();
  if (place < packages) load(place + 1).catch(() => {});  // so that the next one is there at once
}

/** Make the column of a set: its texts, the question, and a slider and a number that follow each other. */
function card(place, set) {
  const id = `set-${set.column}`;
  const bounds = { min: low, max: high, step };
  const title = element("h2", { id, lang: "en", dir: "ltr" }, set.label);
  const question = element("p", { class: "question", dir: "auto", id: `${id}-question` }, byId("sets").dataset.question);
  const named = { "aria-labelledby": `${id} ${id}-question`, "aria-describedby": `${id}-state` };
  const slider = element("input", { type: "range", ...bounds, ...named });
  const number = element("input", { type: "number", inputmode: "decimal", autocomplete: "off", tabindex: "-1", ...bounds, ...named });
  const state = element("span", { class: "state", id: `${id}-state`, lang: "en", dir: "ltr" });
  const controls = element("div", { class: "controls-of-score" }, slider, number);
  const root = element("section", { class: "set", "aria-labelledby": id }, title,
    element("ol", { class: "set-texts" }, ...set.texts.map(textItem)),
    element("div", { class: "score" }, question, controls, state));
  const made = { set, root, slider, number, state, isWrong: false };

  const give = (score, pause) => {
    set.score = score;
    made.isWrong = false;
    outbox.add("answers", slotOf(place, set.column), { package: place, column: set.column, score }, pause);
  };
  slider.addEventListener("input", () => {
    number.value = slider.value;
    give(Number(slider.value), SLIDER_PAUSE);
  });
  // A click on the middle, where an untouched slider already is, is an answer too.
  slider.addEventListener("pointerup", () => {
    if (set.score === null) slider.dispatchEvent(new Event("input"));
  });
  slider.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (/^[0-9]$/.test(event.key)) {  // typing goes on in the field of the number
      event.preventDefault();
      number.value = event.key;
      number.focus();
      number.dispatchEvent(new Event("input"));
    } else if (event.key === "Enter" || event.key === " ") {  // accepts what the slider shows
      event.preventDefault();
      slider.dispatchEvent(new Event("input"));
    }
  });
  number.addEventListener("input", () => {
    const score = number.value.trim() === "" ? NaN : Number(number.value);
    if (score >= low && score <= high) {
      slider.value = score;
      give(score, TYPING_PAUSE);
    } else {
      made.isWrong = number.value !== "" || number.validity.badInput;
      refresh();
    }
  });
  number.addEventListener("blur", () => {  // a score can be changed, but not taken back
    const score = scoreOf(place, set);
    if (!made.isWrong) number.value = score === null ? "" : written(score);
  });
  number.addEventListener("keydown", (event) => {
    if (event.key === "Enter") outbox.send();
  });
  const score = scoreOf(place, set);
  set.score = score;
  slider.value = score ?? (low + high) / 2;
  number.value = score === null ? "" : written(score);
  return made;
}

const written = (score) => String(Number(score.toFixed(Math.max(decimals, 6))));

/** Return a text of a set; only the beginning of a very long one, until the rest is asked for. */
function textItem(text) {
  const shown = element("span", { dir: "auto" }, text.length > LONG ? `${text.slice(0, LONG)}…` : text);
  const item = element("li", {}, shown);
  if (text.length > LONG) {
    const all = element("button", { type: "button", class: "small", lang: "en" }, `Show all ${text.length.toLocaleString("en")} characters`);
    all.addEventListener("click", () => { shown.textContent = text; all.remove(); });
    item.append(" ", all);
  }
  return item;
}

// --- What the page says about progress and saving ---------------------------------------------------------------------

function refresh() {
  if (current !== null) {
    for (const made of cards) refreshCard(made);
    const missing = current.sets.filter((set) => set.score === null).length;
    if (missing) incomplete.add(current.package);
    else incomplete.delete(current.package);
    incomplete = new Set([...incomplete].sort((one, other) => one - other));
    say(byId("missing"), missing === 0 ? "All sets have a score." : `${missing} of ${current.sets.length} sets ${missing === 1 ? "has" : "have"} no score yet.`);
  }
  const complete = incomplete === null ? Number(byId("bar").value) : packages - incomplete.size;
  byId("bar").value = complete;
  byId("place").textContent = current === null ? "Progress" : `Package ${current.package} of ${packages}`;
  byId("complete").textContent = `${complete} complete`;
  refreshSaving();
  if (!byId("end").hidden) refreshEnd();
}

function refreshCard({ set, root, slider, number, state, isWrong }) {
  const slot = slotOf(current.package, set.column);
  const refused = outbox.refused.get(slot);
  const isScored = set.score !== null;
  root.classList.toggle("scored", isScored);
  root.classList.toggle("wrong", isWrong || refused !== undefined);
  slider.setAttribute("aria-valuetext", isScored ? written(set.score) : "no score yet");
  number.setAttribute("aria-invalid", String(isWrong));
  const range = `From ${low} to ${high} only`;
  const waits = outbox.pending(slot) !== undefined;
  say(state, isWrong ? range : refused !== undefined ? `Not saved: ${refused}` : !isScored ? "No score yet" :
    !waits ? "Saved" : outbox.failures ? "Not saved yet" : "Saving …");
}

function refreshSaving() {
  const waiting = outbox.waiting.length;
  const place = byId("save-state");
  place.classList.toggle("failed", waiting > 0 && outbox.failures > 0);
  if (!waiting) say(place, outbox.wasUsed ? "Saved" : "");
  else if (!outbox.failures) say(place, "Saving …");
  else say(place, `Not saved yet: ${waiting} ${waiting === 1 ? "answer" : "answers"}. ${outbox.problem || "No connection to the server."} It is tried again by itself.`);
}

/** Change a text only if it differs, so that it is announced once. */
function say(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

// --- The end, and keys ---------------------------------------------------------------------------------------------

async function showEnd() {
  try {
    if (incomplete === null) await load(1);
  } catch {
    setTimeout(route, 3000);
    return;
  }
  current = null;
  only("end");
  const left = [...incomplete];
  const links = left.length ? left : [packages];
  byId("end-list").replaceChildren(...links.slice(0, 50).map((place) =>
    element("li", {}, element("a", { href: `#package-${place}` }, left.length ? `Package ${place}` : `Back to package ${place}`))));
  refresh();
  byId("end-title").focus({ preventScroll: true });
}

function refreshEnd() {
  const left = incomplete.size;
  const verb = left === 1 ? "is" : "are";
  say(byId("end-title"), left || outbox.waiting.length ? "Almost done" : "Thank you!");
  say(byId("end-text"), left
    ? `${left} of ${packages} packages ${verb} not complete. Please give every set a score:`
    : outbox.waiting.length ? "Your last answers are not saved yet. Please keep this page open until it says that they are." :
      "You have scored all packages, and your answers are saved. You can close this page, or go back and change scores.");
}

const next = () => { if (current) go(current.package + 1); };
const previous = () => { if (current && current.package > 1) go(current.package - 1); };
byId("start").addEventListener("click", () => go(nextIncomplete() || packages + 1));
byId("next").addEventListener("click", next);
byId("previous").addEventListener("click", previous);
byId("show-instructions").addEventListener("click", () => { location.hash = "#instructions"; });
byId("comment").addEventListener("input", () => {
  current.comment = byId("comment").value;
  outbox.add("comments", `${current.package}/comment`, { package: current.package, text: current.comment }, 1000);
});
document.addEventListener("keydown", (event) => {
  if (current === null || event.ctrlKey || event.metaKey || event.isComposing) return;
  const isTyping = event.target.matches("textarea, input[type=text]");
  const isNext = event.altKey ? event.key === "ArrowRight" : !isTyping && event.key === "n";
  const isPrevious = event.altKey ? event.key === "ArrowLeft" : !isTyping && event.key === "p";
  if (isNext || isPrevious) {
    event.preventDefault();
    (isNext ? next : previous)();
  }
});
addEventListener("hashchange", route);
if (outbox.waiting.length) await Promise.race([outbox.send(), new Promise((done) => { setTimeout(done, 3000); })]);
route();
