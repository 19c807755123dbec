"""The OCI paper's experiments: the data are the described ones, and the quick run ends where the paper's numbers are."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import ordeval as oe
from ordeval.base.errors import ArgumentError
from ordeval.cli.program import app
from ordeval.papers import _data as data_sets
from ordeval.papers import _oci_experiments as experiments
from ordeval.papers._claims import UNDETERMINED, WITHIN, judge

#: Measured limits of the means and of the standard deviations: 1.96 deviations of the difference of two sets of 50 splits, and half a unit.
LIMITS = {
    ("SWD", "oSVM"): (0.4914, 0.011, 0.0149, 0.009),
    ("SWD", "Frank and Hall"): (0.4838, 0.012, 0.0187, 0.009),
    ("SWD", "Conventional"): (0.4916, 0.012, 0.0170, 0.011),
    ("LEV", "oSVM"): (0.4471, 0.014, 0.0224, 0.010),
    ("LEV", "Frank and Hall"): (0.4652, 0.012, 0.0171, 0.009),
    ("LEV", "Conventional"): (0.4651, 0.012, 0.0172, 0.010),
    ("ESL", "oSVM"): (0.3495, 0.013, 0.0194, 0.011),
    ("ESL", "Frank and Hall"): (0.3536, 0.012, 0.0169, 0.010),
    ("ESL", "Conventional"): (0.3622, 0.013, 0.0209, 0.011),
    ("Balance", "oSVM"): (0.1288, 0.011, 0.0162, 0.009),
    ("Balance", "Frank and Hall"): (0.1288, 0.011, 0.0162, 0.009),
    ("Balance", "Conventional"): (0.1565, 0.020, 0.0394, 0.015),
}


@pytest.mark.parametrize(("data", "model"), LIMITS)
def test_the_stored_run_and_its_limits(data, model):
    scores = experiments.stored()[data][model]
    mean, of_mean, deviation, of_deviation = LIMITS[data, model]
    assert len(scores) == 50
    assert float(np.mean(scores)) == pytest.approx(mean, abs=5e-5)
    assert experiments.deviation(scores) == pytest.approx(deviation, abs=5e-5)
    assert 1.96 * deviation * np.sqrt(2 / 50) + 0.005 == pytest.approx(of_mean, abs=6e-4)
    assert 1.96 * experiments.error_of_deviation(data, model) + 0.005 == pytest.approx(of_deviation, abs=6e-4)


def test_eleven_means_and_ten_deviations_are_within():
    """BCCT, whose data are not public, is not judged."""
    found = {}
    for claim in oe.papers.claims_of("oci"):
        if claim.place.startswith("Table 6") and claim.compute:
            found[claim.place, claim.row, claim.column] = judge(claim).verdict
    assert {key for key, verdict in found.items() if verdict == UNDETERMINED} == {
        ("Table 6, means", "SWD", "Frank and Hall"),
        ("Table 6, standard deviations", "ESL", "oSVM"),
        ("Table 6, standard deviations", "Balance", "Conventional"),
    }
    assert list(found.values()).count(WITHIN) == 21


def test_the_data_are_those_of_the_paper():
    shapes = {"SWD": (1000, 10), "LEV": (1000, 4), "ESL": (488, 4), "Balance": (625, 4)}
    counts = {
        "SWD": [32, 352, 399, 217],
        "LEV": [93, 280, 403, 197, 27],
        "ESL": [2, 12, 38, 100, 116, 135, 62, 19, 4],
        "Balance": [288, 49, 288],
    }
    for name, shape in shapes.items():
        data = data_sets.data_of(name, np.random.default_rng(0))
        assert data.features.shape == shape
        assert np.bincount(data.codes, minlength=data.k).tolist() == counts[name]


def test_balance_is_the_packaged_design():
    from skordinal.datasets import load_balance_scale

    features, codes = load_balance_scale(return_X_y=True)
    made = oe.papers.balance()

    def rows(features, codes):
        return sorted(map(tuple, np.column_stack([features, codes]).tolist()))

    assert rows(features, codes) == rows(made.features, made.codes)


def test_the_synthetic_classes_have_the_shares_of_the_printed_matrices():
    data = oe.papers.saddle(200_000, np.random.default_rng(0))
    shares = np.bincount(data.codes, minlength=5) / len(data.codes)
    # by numerical integration of P(b < 10 u v + e <= b'), u and v uniform on (-1/2, 1/2), e normal with deviation 1/8
    assert shares == pytest.approx([0.0115, 0.2314, 0.4145, 0.2245, 0.1182], abs=0.004)
    printed = np.array([0, 57, 98, 50, 35])
    expected = 240 * shares
    assert ((printed - expected) ** 2 / expected).sum() < 9.49  # the 95 % point of chi-square, 4 degrees of freedom


def test_algorithm_1_tests_on_rows_it_has_not_seen():
    """Classes that have nothing to do with the features: the index of unseen rows is far from that of learnt ones."""
    rng = np.random.default_rng(1)
    data = data_sets.Dataset("", rng.normal(size=(200, 2)), rng.integers(0, 3, 200), 3)
    found = experiments.algorithm_1(experiments.model_of("Conventional", quadratic=False), data, np.random.default_rng(0))
    assert found > 0.5
    easy = data_sets.Dataset("", np.repeat([[0.0], [5.0], [10.0]], 50, 0), np.repeat([0, 1, 2], 50), 3)
    assert experiments.algorithm_1(experiments.model_of("oSVM", quadratic=False), easy, np.random.default_rng(0)) == 0


@pytest.mark.slow
def test_quick_table_6_from_the_command_line(tmp_path):
    kept = tmp_path / "oci-experiments.json"
    done = CliRunner().invoke(app, ["reproduce", "oci", "--table", "6", "--quick", "--folder", str(tmp_path)])
    assert done.exit_code == 0
    assert done.stdout.splitlines()[-1].startswith("12 printed: ")
    stored = json.loads(kept.read_text())
    assert {name: len(of["oSVM"]) for name, of in stored["scores"].items()} == dict.fromkeys(experiments.DATA, 2)
    for name, models in stored["scores"].items():
        for model, found in models.items():  # the splits are the same; libSVM may end elsewhere on another machine
            assert found == pytest.approx(experiments.stored()[name][model][:2], abs=0.02)
    mean = np.mean(stored["scores"]["SWD"]["oSVM"])
    assert f"SWD oSVM 0.49 {mean:.4f} within" in " ".join(done.stdout.split())

    # Taken up again, nothing is computed anew; a number that moved is noticed.
    stored["scores"]["LEV"]["oSVM"] = [0.30, 0.31]
    kept.write_text(json.dumps(stored))
    again = CliRunner().invoke(app, ["reproduce", "oci", "--table", "6", "--quick", "--folder", str(tmp_path)])
    assert again.exit_code == 1
    assert "recorded as within simulation error, now undetermined" in " ".join(again.stdout.split())


@pytest.mark.slow
def test_quick_table_5_with_networks(tmp_path):
    folder = tmp_path / "kept"
    report = oe.papers.reproduce("oci", table=5, models=["oSVM", "oNN"], quick=True, folder=folder)
    assert report.ok
    assert next((o.claim.column, o.verdict) for o in report.outcomes) == ("oSVM", WITHIN)
    network = report.outcomes[-1]
    assert network.claim.row.startswith("oNN: 0.")
    assert network.verdict == "not judged"  # the paper does not describe the networks
    scores = json.loads((folder / "oci-experiments.json").read_text())["scores"]["synthetic"]
    assert {model: len(found) for model, found in scores.items()} == {"oSVM": 2, "oNN": 2}
    assert 0.1 < np.mean(scores["oNN"]) < 0.6


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


def test_a_mean_outside_simulation_error_is_undetermined():
    far = experiments._claim("Table 6", "SWD", "oSVM", "0.49", [0.52] * 50)
    near = experiments._claim("Table 6", "SWD", "oSVM", "0.49", [0.50] * 50)
    assert (judge(far).verdict, judge(near).verdict) == (UNDETERMINED, WITHIN)
    assert not judge(far).as_recorded
    assert judge(near).computed == "0.5000"


def test_what_cannot_be_run_is_one_sentence(tmp_path):
    with pytest.raises(ValueError, match="there is no experiment for table 4 of oci; those of oci are 5 and 6, that of cem is 3"):
        oe.papers.reproduce("oci", table=4)
    with pytest.raises(ValueError, match="there is no experiment for table 6 of cem"):
        oe.papers.reproduce("cem", table=6)
    for option, given in (("quick", True), ("models", ["oSVM"]), ("folder", tmp_path / "kept")):
        with pytest.raises(
            ArgumentError, match="models, quick and folder are about experiments; name one by its table"
        ) as caught:
            oe.papers.reproduce("oci", **{option: given})
        assert caught.value.argument == option
    for option, given in (("models", ["oSVM"]), ("folder", tmp_path / "kept")):
        with pytest.raises(ArgumentError, match=f"{option} is about the experiments of oci; leave it out") as caught:
            oe.papers.reproduce("cem", table=3, quick=True, **{option: given})
        assert caught.value.argument == option
    assert not (tmp_path / "kept").exists()
    with pytest.raises(ValueError, match="there is no model 'SVM' in these experiments; choose from oSVM, Frank and Hall, "):
        oe.papers.reproduce("oci", table=5, models=["SVM"])
    other = tmp_path / "oci-experiments.json"
    other.write_text("[]")
    with pytest.raises(ValueError, match="does not hold results of these experiments"):
        oe.papers.reproduce("oci", table=5, quick=True, folder=tmp_path)
    assert other.read_text() == "[]"


def test_missing_data_are_one_sentence(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "skordinal", None)
    with pytest.raises(ModuleNotFoundError, match="come in the package skordinal; install it with  pip install skordinal"):
        data_sets.packaged("SWD")
