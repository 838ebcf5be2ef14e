"use strict";
// The theme that was chosen before, and the nonce for the style elements that Bokeh adds to its charts.
(() => {
  const nonce = document.currentScript.nonce;
  const create = Document.prototype.createElement;
  document.createElement = function (name, options) {
    const element = create.call(document, name, options);
    if (String(name).toLowerCase() === "style") {
      element.nonce = nonce;
    }
    return element;
  };
  try {
    const theme = localStorage.getItem("distinctly-theme");
    if (theme === "light" || theme === "dark") {
      document.documentElement.dataset.theme = theme;
    }
  } catch (error) {
    // Some browsers keep nothing for files; the theme is that of the system.
  }
})();
