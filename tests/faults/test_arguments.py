"""An error says which argument it is about, and every edge spells that argument in its own way; data in it stay data."""

import pickle

import pytest

import ordeval as oe
from ordeval.base.errors import ArgumentError, ArgumentTypeError, near
from ordeval.cli.errors import as_option

BRACES = ["{labels}", "{missing:[0]}", "{", "{{0}}"]


def raised(call):
    with pytest.raises((ValueError, TypeError, OSError)) as caught:
        call()
    return caught.value


@pytest.mark.parametrize(
    ("call", "argument", "option"),
    [
        (lambda: oe.count(["a", "b"], ["a", "c"], labels=["a", "b"]), "y_pred", "--pred: 'c' is not one of the classes"),
        (lambda: oe.count(["a"], ["b"]), "labels", "by putting these in order: --labels a,b"),
        (
            lambda: oe.count([0.5], [0.5]),
            "y_true",
            "give the classes, lowest first: --labels a,b,c, or bin the numbers with --edges 0,30,60,90",
        ),
        (lambda: oe.count([1, None], [1, 1]), "y_true", "--missing drop leaves these rows out"),
        (lambda: oe.count([1], [1], missing="dorp"), "missing", "--missing dorp is unknown"),
        (lambda: oe.count([1], [1], sample_weight=[-1]), "sample_weight", "--sample-weight is -1 at index 0"),
        (lambda: oe.Scale([]), "labels", "--labels is empty"),
        (lambda: oe.Scale.from_edges([1, 0]), "edges", "--edges must strictly increase"),
        (lambda: oe.scan([1], true="y", pred="p"), "source", "scan cannot read a list"),
    ],
)
def test_the_argument_is_known_and_spelt_by_the_reader(call, argument, option):
    error = raised(call)
    assert error.argument == argument
    assert option in error.text(as_option)


def test_an_error_about_a_file_that_is_there_is_both(tmp_path):
    path = tmp_path / "{force}.json"
    counts = oe.count([0, 1], [0, 1])
    counts.save(path)
    error = raised(lambda: counts.save(path))
    assert isinstance(error, FileExistsError)
    assert str(error) == f"{path} exists already; pass force=True to replace it"
    assert error.text(as_option) == f"{path} exists already; pass --force to replace it"


@pytest.mark.parametrize("label", BRACES)
def test_braces_in_data_are_never_read(label, tmp_path):
    calls = [
        lambda: oe.count([label], [label]),
        lambda: oe.count(["x"], [label], labels=["x", "y"]),
        lambda: oe.count(["x"], {label: ["z"]}, labels=["x", "y"]),
        lambda: oe.count([label, None], [label, "x"], labels=[label, "x"], by={label: [1, None]}),
        lambda: oe.count([1], [1], missing=label),
        lambda: oe.Scale([label, label]),
        lambda: oe.Scale.from_edges([0, 1], closed=label),
        lambda: oe.Scale.from_integer_bins([label]),
        lambda: oe.Counts.from_sets([label], (["z"], [label]), labels=[label, "z"]),
        lambda: oe.load_example(label),
    ]
    for call in calls:
        error = raised(call)
        assert isinstance(error, ArgumentError)
        for text in (str(error), error.text(as_option), str(pickle.loads(pickle.dumps(error)))):
            assert label in text or "is missing" in text or "missing value" in text


@pytest.mark.parametrize("label", BRACES)
def test_braces_in_files_are_never_read(label, tmp_path):
    path = tmp_path / f"{label}.csv"
    path.write_text(f"{label},p\nx,{label}\n,x\n", encoding="utf-8")
    for labels in (["x", "y"], ["x", label]):
        error = raised(lambda labels=labels: oe.scan(path, true=label, pred="p", labels=labels))
        assert f'{path}, column "' in str(error)
    assert f"{path} has more than 1 rows, but max_rows=1" in str(raised(lambda: oe.scan(path, true=label, pred="p", max_rows=1)))


@pytest.mark.parametrize(
    ("old", "new"), [("weight", "sample_weight="), ("raters", "oe.raters.scan(raters=...)"), ("item", "oe.raters.scan(item=...)")]
)
def test_an_old_keyword_of_scan_says_the_new_one(old, new):
    with pytest.raises(ArgumentTypeError) as caught:
        oe.scan("x.csv", true="y", pred="p", **{old: "w"})
    assert str(caught.value) == f"scan: {old}= is now {new}"


def test_what_differs_by_case_or_form_alone_comes_first():
    assert near("GREEN", ["greens", "green", "red"]) == "did you mean green?"
    assert near("ﬁne ", ["fine", "mine"], shown=repr) == "did you mean 'fine'?"
    assert near("grene", ["green", 3, "red"]) == "did you mean green?"
    assert near("blue", ["green", "red"]) == ""
