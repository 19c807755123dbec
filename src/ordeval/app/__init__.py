"""The explorer: see it, change it, understand it, in the browser.  `ordeval app` serves it on this machine alone.

What a screen says is computed by plain modules (tables, presets, standings, recipes, studies …) from the library's public names;
`screens/` only lays it out, one file for each page.
"""
