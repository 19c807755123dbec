"""Settings of the documentation; scripts/build_docs.py puts the pages together and builds them."""

from ordeval import __version__

project = "ordeval"
author = "The ordeval developers"
copyright = "The ordeval developers"
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.githubpages"]
myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 3
highlight_language = "text"  # a block that names no language is output or a command, not Python
smartquotes = False  # they would turn the quotes of code in prose

html_theme = "furo"
html_title = "ordeval"
html_static_path = ["_static"]
html_css_files = ["ordeval.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {
        "font-stack": "system-ui, sans-serif",
        "color-brand-primary": "#1f5673",
        "color-brand-content": "#1f5673",
        "color-api-name": "#1f5673",
        "color-api-pre-name": "#1f5673",
    },
    "dark_css_variables": {"color-brand-primary": "#8cc4e0", "color-brand-content": "#8cc4e0"},
}
pygments_style = "friendly"
pygments_dark_style = "monokai"
toc_object_entries = False
