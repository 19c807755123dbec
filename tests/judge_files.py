"""The same grades as every tool writes them: two judges' models, a person's target, repeats, an answer that is no class."""

import json

#: item: (person, grades of the judge in three runs); None and text are no classes
GRADES = {
    "a": (1, [1, 1, 2]),
    "b": (2, [2, 3, 3]),
    "c": (3, [3, "I cannot say", 3]),
    "d": (4, [4, 4, 4]),
    "e": (5, [4, 5, 3]),
    "f": (2, [4, 2, 2]),
}


def inspect_log(path, grades=GRADES, *, model="mock/judge", status="success", scorer="grade", indent=None, more=()):
    """A log of Inspect as JSON: the model is the judge, epochs are its runs, the target is the person's grade."""
    samples = [
        {
            "id": item,
            "epoch": epoch,
            "uuid": f"{item}-{epoch}",
            "target": str(person),
            "scores": {scorer: {"value": grade if isinstance(grade, int) else "N", "answer": str(grade)}},
            "error": None,
        }
        for epoch in range(1, 1 + len(next(iter(grades.values()))[1]))
        for item, (person, given) in grades.items()
        for grade in [given[epoch - 1]]
    ]
    log = {"version": 2, "status": status, "eval": {"model": model, "task": "grading"}, "samples": [*samples, *more]}
    path.write_text(json.dumps(log, indent=indent), encoding="utf-8")
    return path


def mlflow_traces(grades=GRADES, *, judge="gpt", person="ann", name="grade"):
    """Traces of MLflow as `trace.to_dict()` gives them; numbers come back as floats."""

    def assessment(value, kind, source, what="feedback", **more):
        value = float(value) if type(value) is int else value
        return {
            "assessment_name": name,
            "source": {"source_type": kind, "source_id": source},
            what: {"value": value},
            "valid": True,
        } | more

    return [
        {
            "info": {
                "trace_id": item,
                "assessments": [
                    *(assessment(grade, "LLM_JUDGE", judge) for grade in given),
                    assessment(who, "HUMAN", person),
                    assessment(1, "LLM_JUDGE", judge, valid=False),
                ],
            },
            "data": {},
        }
        for item, (who, given) in grades.items()
    ]


def lm_eval_samples(path, grades=GRADES, filters=("strict", "first")):
    """A samples file of lm-evaluation-harness: every document once for each filter."""
    rows = [
        {
            "doc_id": number,
            "doc": {"qid": item},
            "target": str(person),
            "resps": [[f"Grade: {grade}" for grade in given]],
            "filtered_resps": [str(given[0]) if isinstance(given[0], int) and name == "first" else "[invalid]"],
            "filter": name,
            "doc_hash": f"hash-{item}",
        }
        for name in filters
        for number, (item, (person, given)) in enumerate(grades.items())
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def long_rows(grades=GRADES, *, judge="gpt", person="ann"):
    """A row for each rating."""
    rows = [{"id": item, "who": person, "run": "1", "score": who} for item, (who, _) in grades.items()]
    return rows + [
        {"id": item, "who": judge, "run": str(run), "score": grade}
        for item, (_, given) in grades.items()
        for run, grade in enumerate(given, 1)
    ]
