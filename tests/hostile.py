"""Labels that are HTML, LaTeX, a formula, code, a path, emoji, right-to-left, blank, long; and counts that carry them."""

import numpy as np

import ordeval as oe

HOSTILE = [
    "$x_{",
    "<script>document.title='owned'</script>",
    r"\frac{1}{0}",
    "😀 👩‍👩‍👧",
    "שלום עולם",
    "x" * 300,
    "x" * 299 + "y",
    "two\nlines\tand a tab",
    "<img src=//x.invalid/a onerror=document.title='owned'>",
    "_hidden",
    "]]>&amp;\"'",
    "datum.x[0]['y']",
    "=1+1",
    "../../etc/passwd",
    " ",
    "\u202eabc",
    "e\u0301\u0301\u0301",
    "%s {0} \\n",
    "漢字" * 20,
    "null",
]
MODELS = ("$m_{<b>&", "ש" * 300)


def hostile_counts():
    assert len(set(HOSTILE)) == 20
    rng = np.random.default_rng(5)
    true = np.concatenate([np.arange(20), rng.integers(0, 20, 200)])
    answers = {name: np.clip(true + rng.integers(-2, 3, true.size), 0, 19) for name in MODELS}
    label = np.array(HOSTILE, dtype=object)
    return oe.count(list(label[true]), {name: list(label[codes]) for name, codes in answers.items()}, labels=HOSTILE)


#: Forty labels: the twenty above, and as many that other readers and writers stumble over.
PAYLOADS = [
    *HOSTILE,
    "nul\x00byte",
    "\x1b[31mred\x1b[0m",
    "line\u2028separator",
    "\ufeffmark",
    "carriage\rreturn",
    "'; DROP TABLE rows; --",
    "{{ 7 * 7 }}{% raw %}",
    "javascript:alert(1)",
    "<img src=x onerror=alert(1)>",
    "</td></tr></table></body>",
    r"\input{/etc/passwd}\write18{ls}",
    "@SUM(A1:A9)",
    "\t=cmd|' /C calc'!A0",
    "[x](javascript:alert(1)) ![y](http://example.org/z)",
    "`code` ~~gone~~ | cell |",
    "＝1+1",
    "NA",
    "None",
    "-0",
    'comma, "quote"; semicolon',
]
