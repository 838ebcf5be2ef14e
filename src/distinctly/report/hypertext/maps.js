"use strict";
// Maps of texts: what is selected is listed beside the map, and can be filtered.
distinctlyCharts.ready.then(() => {
  const MOST = 100;

  for (const { chart, figure } of distinctlyCharts.byTarget.values()) {
    if (chart.kind === "map") {
      start(chart, figure);
    }
  }

  function start(chart, figure) {
    const reader = document.getElementById(`${chart.target}-reader`);
    const [status, list, more] = [".status", ".texts", ".more"].map((part) => reader.querySelector(part));
    const [corpus, words] = [reader.querySelector("select"), reader.querySelector("input")];
    const buttons = [...document.querySelectorAll(`button.region[data-map="${chart.target}"]`)];
    const points = figure.renderers.filter((renderer) => renderer.data_source.data.row);
    const centres = figure.renderers.find((renderer) => renderer.data_source.data.region);
    const hint = status.textContent;
    let rows = [];
    let title = "";
    let shown = MOST;
    let busy = false;

    const rowsOf = (region) => chart.region.flatMap((other, row) => (other === region ? [row] : []));

    const draw = () => {
      const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
      const matching = rows.filter((row) => {
        const text = chart.texts[row].toLowerCase();
        return (corpus.value === "" || chart.corpus[row] === Number(corpus.value)) && wanted.every((word) => text.includes(word));
      });
      const count = (number) => `${number.toLocaleString("en")} text${number === 1 ? "" : "s"}`;
      const filtered = matching.length < rows.length ? `${count(matching.length)} of ` : "";
      status.textContent = rows.length ? `${filtered}${count(rows.length)}: ${title}` : hint;
      list.replaceChildren(...matching.slice(0, shown).map(item));
      more.hidden = matching.length <= shown;
    };

    const item = (row) => {
      const element = document.createElement("li");
      const name = document.createElement("span");
      const text = document.createElement("p");
      name.className = `source c${chart.looks[chart.corpus[row]][0]}`;
      name.dir = "auto";
      name.textContent = chart.corpora[chart.corpus[row]];
      text.dir = "auto";
      text.textContent = chart.texts[row];
      element.append(name, text);
      return element;
    };

    // Lists rows, and marks them on the map.
    const select = (selected, name, region) => {
      [rows, title, shown] = [selected, name, MOST];
      buttons.forEach((button) => {
        button.setAttribute("aria-pressed", String(Number(button.dataset.region) === region));
      });
      const chosen = new Set(selected);
      busy = true;
      for (const { data_source: source } of points) {
        source.selected.indices = [...source.data.row].flatMap((row, index) => (chosen.has(row) ? [index] : []));
      }
      busy = false;
      draw();
      list.parentElement.scrollTop = 0;
    };
    const selectRegion = (region, first) => {
      const members = rowsOf(region);
      const rest = members.filter((row) => row !== first);
      select(first === undefined ? members : [first, ...rest], chart.regions[region] ?? "outside of all regions", region);
    };

    buttons.forEach((button) => {
      button.addEventListener("click", () => {
        const region = Number(button.dataset.region);
        if (button.getAttribute("aria-pressed") === "true") {
          select([], "");
        } else {
          selectRegion(region);
        }
      });
    });
    reader.querySelector(".clear").addEventListener("click", () => {
      [corpus.value, words.value] = ["", ""];
      select([], "");
    });
    corpus.addEventListener("change", draw);
    words.addEventListener("input", draw);
    more.addEventListener("click", () => {
      shown += MOST;
      draw();
    });

    // A box or a lasso selects texts; a click on a point or on a number selects its region.
    let timer = 0;
    const changed = () => {
      if (busy) {
        return;
      }
      clearTimeout(timer);
      timer = setTimeout(() => {
        const regions = centres ? [...centres.data_source.selected.indices] : [];
        const visible = points.filter((renderer) => renderer.visible);
        const picked = visible.flatMap(({ data_source: source }) => [...source.selected.indices].map((index) => source.data.row[index]));
        if (centres && regions.length) {
          busy = true;
          centres.data_source.selected.indices = [];
          busy = false;
        }
        if (regions.length === 1 && picked.length <= 8) {
          selectRegion(centres.data_source.data.region[regions[0]]);
        } else if (picked.length && tapped) {
          selectRegion(chart.region[picked[0]], picked[0]);
        } else {
          select(picked.sort((a, b) => a - b), "selected on the map");
        }
      }, 0);
    };
    let tapped = false;
    const host = document.getElementById(chart.target);
    let start = null;
    host.addEventListener("pointerdown", (event) => { start = [event.clientX, event.clientY]; }, true);
    host.addEventListener("pointerup", (event) => {
      tapped = start !== null && Math.hypot(event.clientX - start[0], event.clientY - start[1]) < 5;
    }, true);
    for (const { data_source: source } of [...points, ...(centres ? [centres] : [])]) {
      source.selected.properties.indices.change.connect(changed);
    }
    draw();
  }
});
