// `Outbox`: answers on their way to the server. Each is kept in the browser until the server has acknowledged it.
//
// Requests are sent one after the other, in the order of the answers, and a request that may have arrived is repeated
// with its key until it is acknowledged. So an old score can never arrive after a newer one of the same set.

const PAUSES = [1000, 2000, 4000, 8000, 15000];
const LIMIT = 20000;
export const LOST_LINK = "This link no longer works. Ask the owner of the study for a new one.";

/** Return a new key of a request; `crypto.randomUUID` is missing on pages without encryption. */
function newKey() {
  const numbers = crypto.getRandomValues(new Uint32Array(4));
  return [...numbers].map((number) => number.toString(16).padStart(8, "0")).join("");
}

export class Outbox {
  /**
   * @param memory the name under which the browser keeps what is not acknowledged
   * @param base the address of the annotator's page
   * @param onChange called after every change: of what waits, and of what was acknowledged
   */
  constructor(memory, base, onChange) {
    this.prefix = `distinctly.${memory}.`;
    this.base = base;
    this.onChange = onChange;
    this.waiting = this.#remembered();
    this.wasUsed = this.waiting.length > 0;
    this.refused = new Map();
    this.failures = 0;
    this.problem = "";
    this.sending = false;
    this.timer = null;
    // A network that is back, or a page that is shown again, is a reason to try at once; so is a page that goes away.
    addEventListener("online", () => this.send());
    document.addEventListener("visibilitychange", () => this.send());
    addEventListener("pagehide", () => this.send());
    addEventListener("beforeunload", (event) => {
      if (this.waiting.length && this.failures) event.preventDefault();
    });
  }

  /** Keep an answer or a comment, and send it after a pause in which it may still be replaced. */
  add(kind, slot, values, pause) {
    this.refused.delete(slot);
    this.wasUsed = true;
    const last = this.waiting.findLastIndex((entry) => entry.slot === slot);
    if (last >= 0 && !this.waiting[last].tried) this.#forget(this.waiting.splice(last, 1)[0]);
    const entry = { kind, slot, values: { ...values, key: newKey() }, at: Date.now(), tried: false };
    this.waiting.push(entry);
    this.#remember(entry);
    this.onChange();
    this.#later(pause);
  }

  /** Return the values of a slot that are not acknowledged; undefined if there are none. */
  pending(slot) {
    return this.waiting.findLast((entry) => entry.slot === slot)?.values;
  }

  /** Send what waits, now. */
  async send() {
    clearTimeout(this.timer);
    if (this.sending) return;
    this.sending = true;
    try {
      while (this.waiting.length) {
        const entry = this.waiting[0];
        entry.tried = true;
        this.#remember(entry);
        this.onChange();
        if (!await this.#sent(entry)) break;
        this.waiting.splice(this.waiting.indexOf(entry), 1);
        this.#forget(entry);
        this.failures = 0;
        this.problem = "";
      }
    } finally {
      this.sending = false;
    }
    this.onChange();
    if (this.waiting.length) this.#later(PAUSES[Math.min(this.failures, PAUSES.length) - 1]);
  }

  /** Send one entry; return whether it is settled: acknowledged, or refused for good. */
  async #sent(entry) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), LIMIT);
    try {
      const answer = await fetch(`${this.base}/${entry.kind}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(entry.values),
        keepalive: true,  // it goes on if the page is closed
        signal: stop.signal,
      });
      const result = await answer.json();
      if (answer.ok && result.saved === true && result.key === entry.values.key) return true;
      if (answer.status === 422 || answer.status === 413) {  // sent again, it would be refused again
        this.refused.set(entry.slot, result.error);
        return true;
      }
      this.problem = answer.status === 404 ? LOST_LINK : result.error ?? "";
    } catch {
      this.problem = "";
    } finally {
      clearTimeout(timer);
    }
    this.failures += 1;
    return false;
  }

  #later(pause) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), pause);
  }

  #remember(entry) {
    try {
      localStorage.setItem(this.prefix + entry.values.key, JSON.stringify(entry));
    } catch {
      // The browser keeps nothing: what waits is in this page only, and closing it asks for confirmation.
    }
  }

  #forget(entry) {
    try {
      localStorage.removeItem(this.prefix + entry.values.key);
    } catch {
      // as above
    }
  }

  #remembered() {
    const entries = [];
    try {
      for (const name of Object.keys(localStorage)) {
        if (name.startsWith(this.prefix)) entries.push(JSON.parse(localStorage.getItem(name)));
      }
    } catch {
      // as above
    }
    return entries.sort((first, second) => first.at - second.at);
  }
}
