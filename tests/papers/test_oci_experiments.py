"""The OCI paper's experiments: the data are the described ones, and the quick run ends where the paper's numbers are."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import ordeval as oe
from ordeval.cli.program import app
from ordeval.papers import _oci_experiments as experiments
from ordeval.papers._claims import NOT_HERE, REPRODUCED, UNEXPLAINED, judge

FULL_RUN = Path(__file__).with_name("oci_table_6.json")


def test_the_full_run_is_within_the_tolerance_of_the_printed_means():
    scores = json.loads(FULL_RUN.read_text())["scores"]
    assert {len(found) for models in scores.values() for found in models.values()} == {50}
    for name in ("SWD", "LEV", "ESL", "Balance"):
        for model, printed in zip(experiments.MODELS, experiments.TABLE_6[name], strict=True):
            assert abs(np.mean(scores[name][model]) - float(printed.split()[0])) <= 0.025


def test_the_data_are_those_of_the_paper():
    shapes = {"SWD": (1000, 10), "LEV": (1000, 4), "ESL": (488, 4), "Balance": (625, 4)}
    counts = {
        "SWD": [32, 352, 399, 217],
        "LEV": [93, 280, 403, 197, 27],
        "ESL": [2, 12, 38, 100, 116, 135, 62, 19, 4],
        "Balance": [288, 49, 288],
    }
    for name, shape in shapes.items():
        data = experiments.data_of(name, np.random.default_rng(0))
        assert data.features.shape == shape
        assert np.bincount(data.codes, minlength=data.k).tolist() == counts[name]


def test_balance_is_the_packaged_design():
    from skordinal.datasets import load_balance_scale

    features, codes = load_balance_scale(return_X_y=True)
    made = experiments.balance_data()

    def rows(features, codes):
        return sorted(map(tuple, np.column_stack([features, codes]).tolist()))

    assert rows(features, codes) == rows(made.features, made.codes)


def test_the_synthetic_classes_have_the_shares_of_the_printed_matrices():
    data = experiments.synthetic_data(np.random.default_rng(0), rows=200_000)
    shares = np.bincount(data.codes, minlength=5) / len(data.codes)
    # by numerical integration of P(b < 10 u v + e <= b'), u and v uniform on (-1/2, 1/2), e normal with deviation 1/8
    assert shares == pytest.approx([0.0115, 0.2314, 0.4145, 0.2245, 0.1182], abs=0.004)
    printed = np.array([0, 57, 98, 50, 35])
    expected = 240 * shares
    assert ((printed - expected) ** 2 / expected).sum() < 9.49  # the 95 % point of chi-square, 4 degrees of freedom


def test_algorithm_1_tests_on_rows_it_has_not_seen():
    """Classes that have nothing to do with the features: the index of unseen rows is far from that of learnt ones."""
    rng = np.random.default_rng(1)
    data = experiments.Data(rng.normal(size=(200, 2)), rng.integers(0, 3, 200), 3)
    found = experiments.algorithm_1(experiments.model_of("Conventional", quadratic=False), data, np.random.default_rng(0))
    assert found > 0.5
    easy = experiments.Data(np.repeat([[0.0], [5.0], [10.0]], 50, 0), np.repeat([0, 1, 2], 50), 3)
    assert experiments.algorithm_1(experiments.model_of("oSVM", quadratic=False), easy, np.random.default_rng(0)) == 0


@pytest.mark.slow
def test_quick_table_6_from_the_command_line(tmp_path):
    kept = tmp_path / "oci-experiments.json"
    done = CliRunner().invoke(app, ["reproduce", "oci", "--table", "6", "--quick", "--folder", str(tmp_path)])
    assert done.exit_code == 0
    assert done.stdout.splitlines()[-1] == "15 checked: 12 reproduced · 0 errata · 3 not reproducible here"
    assert "The data of BCCT are not public." in " ".join(done.stdout.split())
    stored = json.loads(kept.read_text())
    assert {name: len(of["oSVM"]) for name, of in stored["scores"].items()} == dict.fromkeys(("SWD", "LEV", "ESL", "Balance"), 2)
    full = json.loads(FULL_RUN.read_text())["scores"]
    for name, models in stored["scores"].items():
        for model, found in models.items():  # the splits are the same; libSVM may end elsewhere on another machine
            assert found == pytest.approx(full[name][model][:2], abs=0.02)
    mean = np.mean(stored["scores"]["SWD"]["oSVM"])
    assert f"SWD oSVM 0.49 (0.02) {mean:.3f}" in " ".join(done.stdout.split())

    # Taken up again, nothing is computed anew; a number that moved is noticed.
    stored["scores"]["LEV"]["oSVM"] = [0.30, 0.31]
    kept.write_text(json.dumps(stored))
    again = CliRunner().invoke(app, ["reproduce", "oci", "--table", "6", "--quick", "--folder", str(tmp_path)])
    assert again.exit_code == 1
    assert "recorded as reproduced, now unexplained" in " ".join(again.stdout.split())


@pytest.mark.slow
def test_quick_table_5_keeps_the_order_of_the_models(tmp_path):
    report = oe.papers.reproduce("oci", table=5, quick=True, folder=tmp_path / "kept")
    assert report.ok
    assert report.totals() == {REPRODUCED: 2, "erratum": 0, NOT_HERE: 1}


def test_an_interrupted_run_goes_on_where_it_was(tmp_path, monkeypatch):
    calls = []

    def interrupted(model, data, rng):
        calls.append(1)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return len(calls) / 10

    kept = tmp_path / "kept.json"
    monkeypatch.setattr(experiments, "algorithm_1", interrupted)
    with pytest.raises(KeyboardInterrupt):
        experiments.run(["Balance"], 2, keep=kept)
    assert json.loads(kept.read_text())["scores"]["Balance"] == {"oSVM": [0.1], "Frank and Hall": [0.2], "Conventional": [0.3]}
    scores = experiments.run(["Balance"], 2, keep=kept)["Balance"]
    assert scores == {"oSVM": [0.1, 0.6], "Frank and Hall": [0.2, 0.7], "Conventional": [0.3, 0.8]}
    assert list(tmp_path.iterdir()) == [kept]


def test_a_mean_outside_the_tolerance_is_unexplained():
    far = experiments._cell("SWD", "oSVM", "0.49 (0.02)", [0.52, 0.52], 0.025)
    near = experiments._cell("SWD", "oSVM", "0.49 (0.02)", [0.50, 0.51], 0.025)
    assert (judge(far).verdict, judge(near).verdict) == (UNEXPLAINED, REPRODUCED)
    assert judge(near).computed == "0.505 (0.01)"


def test_what_cannot_be_run_is_one_sentence(tmp_path):
    with pytest.raises(ValueError, match="there is no experiment for table 4 of oci; those of oci are 5 and 6"):
        oe.papers.reproduce("oci", table=4)
    with pytest.raises(ValueError, match="there is no experiment for table 6 of cem"):
        oe.papers.reproduce("cem", table=6)
    with pytest.raises(ValueError, match="quick and folder are about experiments"):
        oe.papers.reproduce("oci", quick=True)
    other = tmp_path / "oci-experiments.json"
    other.write_text("[]")
    with pytest.raises(ValueError, match="does not hold results of these experiments"):
        oe.papers.reproduce("oci", table=5, quick=True, folder=tmp_path)
    assert other.read_text() == "[]"


def test_missing_data_are_one_sentence(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "skordinal", None)
    with pytest.raises(ModuleNotFoundError, match="come in the package skordinal; install it with  pip install skordinal"):
        experiments.packaged_data("SWD")
