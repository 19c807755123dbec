"""What the columns of a file are taken for, on twelve small files."""

import pytest
from app_pages import open_page

from ordeval.app import evaluate_state as studies
from ordeval.app.roles import no_common_values
from ordeval.app.uploads import Upload, example
from ordeval.study import guess_roles


def csv(header, *rows, times=1):
    return (header + "\n" + "\n".join([*rows] * times) + "\n").encode()


IDS = [f"id{i}" for i in range(40)]
GRADES = ["low", "mid", "high"]
#: Name, rows, and what they must be taken for: truth, answers, and more by name.
FILES = {
    "id first": (
        ("id,split,truth,model", *(f"{i},{'ab'[n % 2]},{GRADES[n % 3]},{GRADES[n % 2]}" for n, i in enumerate(IDS))),
        {"true": "truth", "preds": ("model",), "slices": ("split",), "ids": ("id",)},
    ),
    "ratings twice": (
        ("first,second", *(f"{n % 5 + 1},{(n * 7) % 5 + 1}" for n in range(40))),
        {"true": "first", "preds": ("second",), "unsure": True},
    ),
    "probabilities": (
        ("grade,model,p_low,p_mid,p_high", *("low,low,0.7,0.2,0.1", "mid,low,0.5,0.4,0.1", "high,high,0.1,0.1,0.8") * 8),
        {"true": "grade", "preds": ("model",), "proba": ("p_low", "p_mid", "p_high")},
    ),
    "numbers that do not add up": (
        ("grade,model,p_low,p_high", *("low,low,0.7,0.7", "high,high,0.1,0.3") * 8),
        {"true": "grade", "preds": ("model",), "proba": ()},
    ),
    "three raters": (
        ("a,b,c", *(f"{GRADES[n % 3]},{GRADES[(n + n // 7) % 3]},{GRADES[(n * 5) % 3]}" for n in range(30))),
        {"true": "a", "preds": ("b", "c"), "unsure": True},
    ),
    "no common values": (("x,y", *(f"{GRADES[n % 3]},{n % 3}" for n in range(12))), {"true": "", "preds": ()}),
    "blanks": (
        ("gold,model", "low,low", "mid,", ",mid", "high,low", "low,mid", "mid,high", "high,high", "mid,mid"),
        {"true": "gold", "preds": ("model",)},
    ),
    "mixed case": (
        ("Label,Pred", *("Low,Low", "High,Low", "Low,High", "High,High") * 3),
        {"true": "Label", "preds": ("Pred",)},
    ),
    "named truth last": (
        ("model,site,true", *(f"{GRADES[n % 3]},{'abc'[n % 3]},{GRADES[(n * 2) % 3]}" for n in range(30))),
        {"true": "true", "preds": ("model",), "slices": ("site",)},
    ),
    "a class that the truth lacks": (
        ("truth,model", *("low,low", "mid,mid", "low,none", "mid,low") * 4),
        {"true": "truth", "preds": (), "offered": ("model",)},
    ),
    "clusters": (
        ("patient,truth,model", *(f"p{n % 25},{GRADES[n % 3]},{GRADES[n % 2]}" for n in range(60))),
        {"true": "truth", "preds": ("model",), "clusters": ("patient",)},
    ),
    "id and score": (
        ("id,score,stars,model", *(f"{i},{n / 7:.3f},{n % 5 + 1},{(n * 3) % 5 + 1}" for n, i in enumerate(IDS))),
        {"true": "stars", "preds": ("model",)},
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_roles_come_from_the_data(name):
    (header, *rows), wanted = FILES[name]
    upload = Upload("mine.csv", csv(header, *rows))
    found = guess_roles(upload.values())
    assert {key: getattr(found, key) for key in wanted} == wanted
    assert not set(found.ids) & {found.true, *found.preds, *found.slices, *found.clusters}


def test_a_column_whose_rows_all_differ_holds_no_classes():
    found = guess_roles(Upload("mine.csv", csv("name,grade,model", "ann,1,1", "bob,2,2", "cay,1,2", "dan,2,1")).values())
    assert (found.ids, found.slices, found.clusters) == (("name",), (), ())
    assert {found.true, *found.preds} == {"grade", "model"}
    found = guess_roles(Upload("mine.csv", csv("truth,model", "1,4", "2,3", "3,2", "4,1")).values())
    assert (found.true, found.preds, found.ids) == ("", (), ("truth", "model"))


@pytest.mark.parametrize("name", FILES)
@pytest.mark.slow
def test_nothing_is_red_on_opening(name):
    (header, *rows), _ = FILES[name]
    upload = Upload("mine.csv", csv(header, *rows))
    study = studies.first_study(upload.columns(), guess_roles(upload.values()))
    app = open_page("evaluate", state={"upload": upload, "study": study, "source": "file"})
    assert not app.exception
    red = [error.value for error in app.error]
    assert red == [] or (name == "blanks" and "missing" in red[0])  # what becomes of such a row is the visitor's to say


def test_the_bundled_file():
    found = guess_roles(example().values())
    assert (found.true, found.preds, found.slices, found.clusters, found.ids) == (
        "grade", ("nurse", "model"), ("site",), ("patient",), ("visit",))  # fmt: skip
    assert set(found.proba) == {"p_green", "p_yellow", "p_orange", "p_red"}
    assert not found.unsure


def test_one_column_and_no_common_values_are_said():
    values = Upload("mine.csv", csv("x,y", *(f"{GRADES[n % 3]},{n}" for n in range(12)))).values()
    assert no_common_values(values).endswith("x: low, mid, high; y: 0, 1, 2, 3, 4 …")
    app = open_page(
        "evaluate", state={"upload": Upload("one.csv", b"x\na\nb\n"), "study": studies.Study("", ()), "source": "file"}
    )
    assert not app.exception
    assert "one.csv has 1 column; a truth and a prediction are needed" in app.error[0].value.replace("\\", "")
