"""The parts of an HTML page: text, tables, charts, the map of texts, style sheet and scripts."""
