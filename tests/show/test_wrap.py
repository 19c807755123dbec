"""Wrapping text: every sign is looked at a fixed number of times, however long the text is."""

import random

import pytest

from ordeval.show import _plain


def looks(monkeypatch, text):
    """How often the width of a sign was asked for while the text was wrapped."""
    asked = 0
    honest = _plain._sign_width

    def counted(sign):
        nonlocal asked
        asked += 1
        return honest(sign)

    monkeypatch.setattr(_plain, "_sign_width", counted)
    _plain.wrap(text, 80, then="  ")
    monkeypatch.setattr(_plain, "_sign_width", honest)
    return asked


@pytest.mark.parametrize("text", ["x" * 1_000, "日" * 1_000, "word " * 200, "a  b\t" * 200])
def test_a_text_four_times_as_long_takes_four_times_the_work(monkeypatch, text):
    short, long = looks(monkeypatch, text), looks(monkeypatch, text * 4)
    assert long <= 4.2 * short
    assert short <= 4 * len(text)


def test_lines_fit_and_hold_every_word(monkeypatch):
    rng = random.Random(5)
    signs = ["a", "bc", " ", "  ", "\t", "日", "e\u0301", "\u200d", "x" * 9, "long", "-"]
    for _ in range(2_000):
        text = "".join(rng.choices(signs, k=rng.randrange(40)))
        width, first, then = rng.randrange(6, 25), rng.choice(["", "   ", "on: "]), rng.choice(["", "  "])
        lines = _plain.wrap(text, width, first=first, then=then)
        assert all(_plain.display_width(line) <= width for line in lines)
        inside = [line.removeprefix(first if i == 0 else then) for i, line in enumerate(lines)]
        assert "".join("".join(inside).split()) == "".join(text.split())


def test_names_with_a_common_start_are_told_apart():
    names = ["Rating (app v1)", "Rating (app v2)", "nurse"]
    assert _plain.shorten_apart(names, 10) == ["… (app v1)", "… (app v2)", "nurse"]
    assert _plain.shorten_apart(["a" * 30, "b" * 30], 10) == ["a" * 9 + "…", "b" * 9 + "…"]
    assert _plain.shorten_apart(["one", "one"], 10) == ["one", "one"]
    assert _plain.shorten_apart(["模型的名字很长一", "模型的名字很长二"], 8) == ["…很长一", "…很长二"]
    assert _plain.shorten_apart(["abcd…", "abcdef"], 5) == ["abcd…", "…cdef"]  # what fits stays as it is


@pytest.mark.parametrize(
    ("text", "columns"), [("abc", 3), ("日本", 4), ("e\u0301", 1), ("a\u20dd", 1), ("می\u200cشود", 5), ("\u200eab", 2)]
)
def test_signs_without_ink_of_their_own_take_no_column(text, columns):
    assert _plain.display_width(text) == columns


def test_a_label_is_one_line_without_signs_that_steer_a_terminal():
    assert _plain.printable("a\nb\x1b[31m\u202ec") == "a�b�[31m�c"
    assert _plain.printable("gelb 日 é 🙂") == "gelb 日 é 🙂"
    assert _plain.printable(3) == "3"


@pytest.mark.parametrize(("sign", "wide"), [("x", 1), ("日", 2)])
def test_a_word_wider_than_a_line_fills_its_lines(sign, wide):
    for length in range(1, 60):
        lines = _plain.wrap(sign * length, 13, first="on: ", then="  ")
        assert [_plain.display_width(line) > 13 - wide for line in lines[:-1]] == [True] * (len(lines) - 1)
        assert "".join(lines).count(sign) == length
