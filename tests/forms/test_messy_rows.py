"""Random messy files against the rules, written down once more in plain Python: row by row, field by field.

Every run draws new files; the seed is in the message of a failure, and ORDEVAL_MESSY_SEED draws the same again.
"""

import csv
import io
import os
import random
import re
from collections import Counter

import pytest

import ordeval as oe

SEED = int(os.environ.get("ORDEVAL_MESSY_SEED", random.SystemRandom().randrange(2**32)))
WORDS = ["low", "mid", "high", "Straße", "ÉTÉ", "İ", "a b", "x,y", 'say "x"', "ﬁn", "NaN", "0", "-"]
SPACES = [" ", "\t", "\u00a0", "\u2003", "\u3000", "  "]
NOTHING = ["NA", "N/A", "-", "?", "99"]


def plain_reading(text, labels, reading, column, counted):
    """The rules of one field, one after the other: the class, None for no value, or the text itself where it is no class."""
    if text == "":
        return None
    own = reading.recode.get(column)
    recode = {**{k: v for k, v in reading.recode.items() if isinstance(v, str)}, **(own if isinstance(own, dict) else {})}
    if text in recode and recode[text] != text:
        counted["recoded"] += 1
        text = recode[text]
    if reading.space == "trim" and text.strip() != text:
        counted["trimmed"] += 1
        text = text.strip()
    if text == "":
        return None
    if text in reading.na:
        counted["as no value" if column == "y" else "as no answer"] += 1
        return None
    if isinstance(labels[0], int):
        pattern = r"(0|-?[1-9][0-9]*)([.,]0+)?" if reading.decimal == "," else r"(0|-?[1-9][0-9]*)(\.0+)?"
        if found := re.fullmatch(pattern, text, re.ASCII):
            if found[2]:
                counted["written with .0" if "." in text else "with a decimal comma"] += 1
            number = int(found[1])
            return number if number in labels else ("no class", text)
        return ("no class", text)
    for label in labels:
        if text == label:
            return label
    if reading.case == "ignore":
        for label in labels:
            if text.casefold() == label.casefold():
                counted["in another case"] += 1
                return label
    return ("no class", text)


def drawn(rng):
    """A reading, classes and rows."""
    if rng.random() < 0.5:
        labels = list(range(rng.choice([-1, 0, 1]), rng.choice([2, 3, 4])))
        written = [str(label) for label in labels] + [f"{label}.0" for label in labels] + [f"{labels[0]}.00"]
        written += [f"{labels[-1]},0"] * 2 + ["01", "+1", "1e0", "7", "-0", "2.5"]
    else:
        labels = rng.sample(WORDS, rng.choice([2, 3, 4]))
        written = [*labels, *(label.upper() for label in labels), *(label.swapcase() for label in labels)]
        written += [rng.choice(SPACES) + label for label in labels] + [label + rng.choice(SPACES) for label in labels]
    written += [*rng.sample(NOTHING, 2), "", "", rng.choice(SPACES)]
    folded = len({str(label).casefold() for label in labels}) == len(labels)
    na = [text for text in rng.sample(NOTHING, rng.choice([0, 1, 3])) if text not in map(str, labels)]
    recode = {rng.choice(written): str(rng.choice(labels)) for _ in range(rng.choice([0, 0, 1, 2]))}
    recode = {text: label for text, label in recode.items() if text}
    if rng.random() < 0.3:
        recode["p"] = {rng.choice(written) or "x": str(rng.choice(labels))}
    reading = oe.Reading(
        na=na,
        recode=recode,
        decimal=rng.choice(".,"),
        case=rng.choice(["exact", "ignore"]) if folded else "exact",
        space=rng.choice(["exact", "trim"]),
    )
    usual = written if rng.random() < 0.5 else [text for text in written if not re.fullmatch(r"\+1|1e0|01|7|-0|2\.5", text)]
    fields = {}
    for column, share in (("y", 0.9), ("p", 0.6)):  # in most files, most fields are classes or nothing
        good = [text for text in usual if not isinstance(plain_reading(text, labels, reading, column, Counter()), tuple)]
        fields[column] = good if good and rng.random() < share else usual
    rows = [(rng.choice(fields["y"]), rng.choice(fields["p"])) for _ in range(rng.choice([2, 5, 40, 200]))]
    return labels, reading, rows


def expected(labels, reading, rows, unknown):
    """The pairs of classes, and how many fields of each column were changed for which reason."""
    counted = {"y": Counter(), "p": Counter()}
    meant = {"y": [], "p": []}
    for row in rows:
        for column, text in zip("yp", row, strict=True):
            value = plain_reading(text, labels, reading, column, counted[column])
            if isinstance(value, tuple) and column == "p" and unknown == "missing":
                counted["p"]["as no answer, not being a class"] += 1
                value = None
            meant[column].append(value)
    return list(zip(meant["y"], meant["p"], strict=True)), counted


def written_file(rng, path, rows):
    delimiter = rng.choice(",;\t|")
    out = io.StringIO()
    writer = csv.writer(
        out,
        delimiter=delimiter,
        lineterminator=rng.choice(["\n", "\r\n"]),
        quoting=rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    )
    writer.writerow(["y", "p"])
    writer.writerows(rows)
    encoding = rng.choice(["utf-8", "utf-8-sig", "utf-16"])
    path.write_bytes(out.getvalue().encode(encoding))


def refusal(path, asked):
    """Why a file is not read; nothing if it is."""
    try:
        oe.scan(path, **asked)
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("number", range(60))
def test_random_messy_files_are_read_by_the_rules(tmp_path, number):
    seed = SEED + number
    rng = random.Random(seed)
    labels, reading, rows = drawn(rng)
    unknown = rng.choice(["error", "missing"])
    path = tmp_path / "rows.csv"
    written_file(rng, path, rows)
    pairs, counted = expected(labels, reading, rows, unknown)
    kept = [(y, p) for y, p in pairs if y is not None and p is not None]
    again = f"ORDEVAL_MESSY_SEED={seed} draws this as the first: {reading}, {labels}, {unknown}"
    asked = {"true": "y", "pred": "p", "labels": labels, "reading": reading, "unknown": unknown, "missing": "drop"}
    if any(isinstance(value, tuple) for pair in kept for value in pair):
        assert re.search("is not a class|are not classes", refusal(path, asked)), again
        return
    if not kept:
        assert "no row is left to score" in refusal(path, asked), again
        return
    counts = oe.scan(path, **asked)
    found = Counter()
    for code, times in zip(counts.cells.tolist(), counts.weights.tolist(), strict=True):
        found[labels[code[0]], labels[code[1]]] += times
    assert found == Counter(kept), again
    assert counts.audit.read == len(rows), again
    told = {one.column: {reason: sum(texts.values()) for reason, texts in one.reasons.items()} for one in counts.audit.read_as}
    assert told == {column: dict(reasons) for column, reasons in counted.items() if reasons}, again
