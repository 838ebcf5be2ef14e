"""The calculator, comparisons, reports and studies in a browser: `distinctly serve`."""
