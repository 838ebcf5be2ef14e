"use strict";
// Theme, sorting and filtering of tables, and buttons that copy.
(() => {
  const root = document.documentElement;

  // The theme: that of the system, light or dark.
  const themes = ["system", "light", "dark"];
  const toggle = document.getElementById("theme");
  const current = () => root.dataset.theme || "system";
  const name = () => { toggle.textContent = `Theme: ${current()}`; };
  toggle.hidden = false;
  name();
  toggle.addEventListener("click", () => {
    const next = themes[(themes.indexOf(current()) + 1) % themes.length];
    if (next === "system") {
      delete root.dataset.theme;
    } else {
      root.dataset.theme = next;
    }
    try {
      localStorage.setItem("distinctly-theme", next);
    } catch (error) {
      // It is kept as long as the page is open.
    }
    name();
    document.dispatchEvent(new Event("theme"));
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    document.dispatchEvent(new Event("theme"));
  });

  // Sorting: upwards, downwards, and as it was. Values that are missing are last.
  const key = (row, column) => {
    const cell = row.cells[column];
    if (!cell || cell.classList.contains("missing")) {
      return null;
    }
    if (cell.dataset.value !== undefined) {
      return Number(cell.dataset.value);
    }
    return cell.textContent.trim().toLowerCase() || null;
  };
  const compare = (a, b) => {
    if (typeof a === "number" && typeof b === "number") {
      return a - b;
    }
    return String(a).localeCompare(String(b), undefined, { numeric: true });
  };
  const sort = (table, column, order) => {
    for (const body of table.tBodies) {
      const rows = [...body.rows].filter((row) => !row.classList.contains("section"));
      rows.forEach((row) => { row.place ??= rows.indexOf(row); });
      rows.sort((a, b) => {
        if (order === "none") {
          return a.place - b.place;
        }
        const [first, second] = [key(a, column), key(b, column)];
        if (first === null || second === null) {
          return (first === null) - (second === null) || a.place - b.place;
        }
        return (order === "ascending" ? 1 : -1) * compare(first, second) || a.place - b.place;
      });
      body.append(...rows);
    }
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const titles = [...table.tHead.rows[0].cells];
    titles.forEach((title, column) => {
      const button = title.querySelector("button");
      if (!button) {
        return;
      }
      button.addEventListener("click", () => {
        // Numbers are first sorted downwards, names upwards.
        const orders = title.classList.contains("number")
          ? ["descending", "ascending", "none"]
          : ["ascending", "descending", "none"];
        const order = orders[(orders.indexOf(title.getAttribute("aria-sort")) + 1) % 3];
        titles.forEach((other) => other.hasAttribute("aria-sort") && other.setAttribute("aria-sort", "none"));
        title.setAttribute("aria-sort", order);
        sort(table, column, order);
      });
    });
  }

  // Filtering: rows that contain all words.
  for (const input of document.querySelectorAll("input[data-filter]")) {
    const table = document.getElementById(input.dataset.filter);
    const status = input.parentElement.querySelector("[role=status]");
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      let total = 0;
      for (const row of table.querySelectorAll("tbody tr:not(.section)")) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
        shown += !row.hidden;
        total += 1;
      }
      status.textContent = words.length ? `${shown.toLocaleString("en")} of ${total.toLocaleString("en")} rows` : "";
    });
  }

  // Copying: by the clipboard, or by a selection where a page may not use it.
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (error) {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      const copied = document.execCommand("copy");
      area.remove();
      return copied;
    }
  };
  for (const button of document.querySelectorAll("button.copy")) {
    button.addEventListener("click", async () => {
      const text = button.dataset.copy
        ? document.getElementById(button.dataset.copy).textContent
        : [...document.querySelectorAll(`#${button.dataset.copyAll} code`)].map((code) => code.textContent).join("\n");
      const label = button.textContent;
      button.textContent = (await copy(text)) ? "Copied" : "Not copied";
      setTimeout(() => { button.textContent = label; }, 1500);
    });
  }

  // What is folded is printed as well, but for tables of numbers.
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details:not(.numbers):not([open])")) {
      details.open = true;
      details.dataset.printed = "";
    }
  });
  addEventListener("afterprint", () => {
    for (const details of document.querySelectorAll("details[data-printed]")) {
      details.open = false;
      delete details.dataset.printed;
    }
  });
})();
