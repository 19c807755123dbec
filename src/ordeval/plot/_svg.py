"""SVG for a page: one element, inert, the same bytes for the same data.

Text is kept as text rather than turned into outlines: it can be found, copied and read aloud, the reader's own fonts draw the
scripts and emoji that DejaVu lacks, and right-to-left words run from right to left.  Where DejaVu itself is not installed the
fonts that take its place are narrower, so nothing overlaps.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from ordeval.plot._style import FALLBACKS

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"


def cleaned(text: str, title: str, description: str) -> str:
    """matplotlib's SVG without prolog, metadata, style sheet and style attributes, and with a title and a description.

    Styles become attributes, so that the figure also shows under a content security policy that allows no inline style; and a
    style sheet inside would apply to the whole page.
    """
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", XLINK)
    root = ET.fromstring(text)  # noqa: S314 - written by matplotlib a moment ago
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{{{SVG}}}metadata", f"{{{SVG}}}style"):
                parent.remove(child)
    for element in root.iter():
        _attributes_for_style(element)
        if element.tag == f"{{{SVG}}}g":
            element.attrib.pop("id", None)  # nothing refers to groups, and a page with two figures would have each name twice
        if element.tag == f"{{{SVG}}}path" and "d" in element.attrib:
            element.set("d", " ".join(element.attrib["d"].split()))
    root.attrib.update({"role": "img", "stroke-linejoin": "round", "stroke-linecap": "butt", "font-family": FALLBACKS})
    for position, (tag, words) in enumerate((("title", title), ("desc", description))):
        element = ET.Element(f"{{{SVG}}}{tag}")
        element.text = words
        root.insert(position, element)
    ET.indent(root, "")
    return ET.tostring(root, encoding="unicode")


def _attributes_for_style(element: ET.Element) -> None:
    for declaration in re.split(r";\s*", element.attrib.pop("style", "")):
        name, _, value = declaration.partition(": ")
        if name and name != "font-family":  # one family for all, given on the root
            element.set(name, value)
