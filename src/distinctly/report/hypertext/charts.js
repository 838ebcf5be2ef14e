"use strict";
// Draws the charts by Bokeh; sets their colours; shows what the pointer is on; prints them.
const distinctlyCharts = (() => {
  const data = JSON.parse(document.getElementById("chart-data").textContent);
  const byTarget = new Map();
  const dark = matchMedia("(prefers-color-scheme: dark)");

  // Captions cover each other on a narrow screen.
  const hasCaptions = innerWidth >= 700;

  const theme = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen === "dark" || (chosen !== "light" && dark.matches) ? "dark" : "light";
  };

  const glyphNames = ["glyph", "selection_glyph", "nonselection_glyph", "hover_glyph", "muted_glyph"];
  const glyphsOf = (renderer) => glyphNames.map((name) => renderer[name]).filter((glyph) => glyph?.setv);

  const colour = (figure, name) => {
    const colours = data.themes[name];
    for (const axis of [...figure.left, ...figure.below]) {
      axis.setv({
        axis_label_text_color: colours.text,
        major_label_text_color: colours.text,
        axis_line_color: axis.axis_line_color === null ? null : colours.muted,
        major_tick_line_color: axis.major_tick_line_color === null ? null : colours.muted,
      });
    }
    for (const part of figure.center) {
      if ("grid_line_color" in part.properties) {
        part.setv({ grid_line_color: colours.grid });
      }
    }
    for (const renderer of figure.renderers) {
      const source = renderer.data_source;
      if (source.data.place) {
        const places = [...source.data.place];
        source.data = { ...source.data, colour: places.map((place) => colours.series[place]) };
      }
      // Tags are what it shows, and for a series its place and that of its colour.
      const [role, , series] = renderer.glyph.tags;
      if (role) {
        for (const glyph of glyphsOf(renderer)) {
          const set = (name, value) => name in glyph.properties && glyph.setv({ [name]: { value } });
          if (role === "region") {
            set("fill_color", colours.surface);
            set("line_color", colours.text);
          } else if (role === "number" || role === "caption") {
            set("text_color", colours.text);
          } else {
            set("fill_color", colours.series[series]);
            // A thin line around points keeps them apart where they overlap.
            set("line_color", "marker" in glyph.properties ? colours.surface : colours.series[series]);
          }
        }
      }
    }
  };

  // What the pointer is on, in an element of the page, as text.
  const tooltip = document.createElement("div");
  tooltip.className = "tooltip";
  tooltip.hidden = true;
  tooltip.setAttribute("role", "status");
  document.body.append(tooltip);
  const pointer = { x: 0, y: 0 };
  const place = () => {
    const { width, height } = tooltip.getBoundingClientRect();
    const x = Math.min(pointer.x + 14, innerWidth - width - 8);
    const y = pointer.y + 18 + height > innerHeight ? pointer.y - height - 12 : pointer.y + 18;
    tooltip.style.left = `${Math.max(x, 8)}px`;
    tooltip.style.top = `${Math.max(y, 8)}px`;
  };
  addEventListener("pointermove", (event) => {
    pointer.x = event.clientX;
    pointer.y = event.clientY;
    if (!tooltip.hidden) {
      place();
    }
  });
  const show = (lines) => {
    tooltip.replaceChildren(...lines.map((line, number) => {
      const element = document.createElement(number ? "p" : "strong");
      element.dir = "auto";
      element.textContent = line;
      return element;
    }));
    tooltip.hidden = lines.length === 0;
    place();
  };

  const number = (value) => Number(value.toPrecision(4)).toLocaleString("en", { maximumSignificantDigits: 6 });
  const labelOf = (chart, renderer, index) => {
    const columns = renderer.data_source.data;
    if (chart.kind === "forest") {
      return columns.label[index].split("\n");
    }
    if (chart.kind === "map") {
      const row = columns.row[index];
      const text = chart.texts[row];
      const short = text.length > 300 ? `${text.slice(0, 300)}…` : text;
      return [chart.corpora[chart.corpus[row]], short, chart.regions[chart.region[row]] ?? ""].filter(Boolean);
    }
    const lines = [chart.corpora[renderer.glyph.tags[1]]];
    if (columns.label) {
      lines.push(columns.label[index]);
    }
    lines.push(`${chart.x}: ${number(columns.x[index])}`);
    const ends = columns.low ? ` (${number(columns.low[index])} to ${number(columns.high[index])})` : "";
    lines.push(`${chart.y}: ${number(columns.y[index])}${ends}`);
    return lines;
  };
  const watch = (chart, figure) => {
    const points = figure.renderers.filter((renderer) => {
      const columns = renderer.data_source.data;
      return "marker" in renderer.glyph.properties && !columns.region;
    });
    for (const renderer of points) {
      renderer.data_source.inspect.connect(() => {
        const hits = points.flatMap((other) => [...other.data_source.inspected.indices].map((index) => [other, index]));
        const visible = hits.filter(([other]) => other.visible);
        show(visible.length ? labelOf(chart, ...visible[visible.length - 1]) : []);
      });
    }
    document.getElementById(chart.target).addEventListener("pointerleave", () => show([]));
  };

  // Buttons that show and hide a corpus.
  const hide = (figure, series, visible) => {
    for (const renderer of figure.renderers) {
      const [role, place] = renderer.glyph.tags;
      if (["series", "caption"].includes(role) && place === series) {
        renderer.visible = visible && (role === "series" || hasCaptions);
      }
    }
  };
  for (const button of document.querySelectorAll("button[data-series]")) {
    button.addEventListener("click", () => {
      const pressed = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(pressed));
      hide(byTarget.get(button.dataset.chart).figure, Number(button.dataset.series), pressed);
    });
  }

  const colourAll = (name) => {
    for (const { figure } of byTarget.values()) {
      colour(figure, name);
    }
  };
  document.addEventListener("theme", () => colourAll(theme()));

  // Charts are printed as pictures, in light colours and as wide as the paper.
  const viewOf = (figure) => (Bokeh.index.get_by_id ? Bokeh.index.get_by_id(figure.id) : Bokeh.index[figure.id]);
  addEventListener("beforeprint", () => {
    colourAll("light");
    for (const { figure, element } of byTarget.values()) {
      const view = viewOf(figure);
      try {
        // Bokeh takes new colours over later than the paper needs them.
        for (const renderer of view.renderer_views.values()) {
          for (const name of glyphNames) {
            renderer[name]?.set_visuals?.(renderer.model.data_source, renderer.all_indices);
          }
        }
        view.paint();
        const picture = document.createElement("img");
        picture.className = "printed";
        picture.alt = "";
        picture.src = view.export("png", true).canvas.toDataURL();
        element.append(picture);
        element.classList.add("as-picture");
      } catch (error) {
        // The chart itself is printed.
      }
    }
  });
  addEventListener("afterprint", () => {
    for (const { element } of byTarget.values()) {
      element.querySelectorAll("img.printed").forEach((picture) => picture.remove());
      element.classList.remove("as-picture");
    }
    colourAll(theme());
  });

  const roots = Object.fromEntries(data.charts.map((chart) => [chart.root, chart.target]));
  const ready = Bokeh.embed
    .embed_items({ report: data.document }, [{ docid: "report", roots, root_ids: Object.keys(roots) }])
    .then(() => {
      const figures = new Map(Bokeh.documents[Bokeh.documents.length - 1].roots().map((figure) => [figure.id, figure]));
      for (const chart of data.charts) {
        const figure = figures.get(chart.root);
        byTarget.set(chart.target, { chart, figure, element: document.getElementById(chart.target) });
        // On a screen that is touched, dragging scrolls the page.
        if (matchMedia("(pointer: coarse)").matches) {
          figure.toolbar.tools.forEach((tool) => { if (tool.active === true && tool.type !== "TapTool") { tool.active = false; } });
        }
        if (!hasCaptions) {
          figure.renderers.filter((each) => each.glyph.tags[0] === "caption").forEach((each) => { each.visible = false; });
        }
        watch(chart, figure);
      }
      colourAll(theme());
      document.documentElement.dataset.charts = "drawn";
    });
  return { ready, byTarget };
})();
