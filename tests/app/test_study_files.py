"""A study file leaves the explorer, gives the same counts from the command line's reader, and comes back as the same choices."""

import pytest

import ordeval as oe
from ordeval.app import evaluate_state as studies
from ordeval.app.study_files import as_study_file, from_study_file
from ordeval.app.uploads import Upload, example


def written(tmp_path, study, upload):
    counts = study.counts(upload)
    (tmp_path / upload.name).write_bytes(upload.data)
    (tmp_path / "study.toml").write_text(as_study_file(study, upload.name, counts), encoding="utf-8")
    return counts, oe.Study.load(tmp_path / "study.toml")


def test_the_example_goes_out_and_comes_back(tmp_path):
    chosen = studies.replace(studies.EXAMPLE, cluster="patient", by="site", level=0.9, source="file")
    counts, study = written(tmp_path, chosen, example())
    assert not study.validate()
    assert study.counts["model"].matrix.tolist() == counts["model"].matrix.tolist()
    back = from_study_file((tmp_path / "study.toml").read_bytes())
    assert (back.true, back.preds, back.order, back.missing) == (chosen.true, chosen.preds, chosen.order, chosen.missing)
    assert (back.primary, back.level, back.cluster, back.by) == ("cem", 0.9, "patient", "site")
    assert set(back.metrics) == set(chosen.metrics)


def test_whole_numbers_stay_whole_numbers(tmp_path):
    upload = Upload("stars.csv", b"truth,model\n" + b"1,2\n2,2\n3,1\n" * 10)
    _, study = written(tmp_path, studies.Study("truth", ("model",), ("1", "2", "3")), upload)
    assert not study.validate()
    assert study.counts.scale.labels == (1, 2, 3)
    assert from_study_file((tmp_path / "study.toml").read_bytes()).order == ("1", "2", "3")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"\xff\xfe", "cannot be read"),
        (b"study = [", "cannot be read"),
        (b'study = 1\n[data]\nfiles = "a.csv"\n[columns]\ntrue = "t"\nmodels = ["m"]\n[ouput]\n', "ouput"),
        (
            b'study = 1\n[data]\nshape = "runs"\ngold = "g.csv"\nruns = "r/*.csv"\n[columns]\nid = "i"\ntrue = "t"\npred = "p"\n',
            "command line",
        ),
        (
            b'study = 1\n[data]\nfiles = "a.csv"\n[columns]\ntrue = "t"\nmodels = ["m"]\n[scale]\nlabels = [1, 2]\n[missing]\nanswer = { as = 1 }\n',
            "command line",
        ),
    ],
)
def test_what_the_page_cannot_show_is_said(text, said):
    with pytest.raises(oe.ArgumentError, match=said):
        from_study_file(text)
