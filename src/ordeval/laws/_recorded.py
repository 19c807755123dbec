"""What is recorded of a metric, without a search: its claims as verdicts, each broken law with its witness, scored anew."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from ordeval.laws._report import FAILS, HOLDS, NOT_APPLICABLE, PROVED, UNDECIDED, LawReport, LawTable, LawVerdict
from ordeval.laws._scoring import ScoredRecord
from ordeval.laws._search import breaches, number_of_cases
from ordeval.laws._statements import STATEMENTS, Law, get_law
from ordeval.metrics import Metric, catalogue, get_metric

#: The bounds within which every case was tried for the records.
K, N = 4, 5


@lru_cache
def _number(law: str, of_intervals: str) -> int:
    """Cases of a law within the bounds, which are the same for all metrics on ranks, and for all on the same intervals."""
    return number_of_cases(get_law(law), K, N, ScoredRecord(get_metric(of_intervals)), first_reading=True)


def _verdict(one: ScoredRecord, law: Law) -> LawVerdict:
    metric, reading = one.metric, law.readings[0].name
    why = law.needs(one)
    if why:
        return LawVerdict(law.name, reading, NOT_APPLICABLE, reason=why)
    if law.name in metric.broken:
        breach = breaches(one, law, metric.broken[law.name])
        if breach is None:
            raise AssertionError(f"the witness recorded against {law.name} of {metric} is none")
        return LawVerdict(law.name, reading, FAILS, law.range(K, N), breach=replace(breach, found="recorded"))
    if law.name not in metric.laws:
        return LawVerdict(law.name, reading, UNDECIDED, reason="nothing is recorded; give the bounds of a search")
    cases = _number(law.name, str(metric) if "edges" in metric.needs else "mae")
    proof = metric.laws[law.name]
    status = PROVED if proof.startswith("proved") else HOLDS
    return LawVerdict(law.name, reading, status, law.range(K, N), cases, reason=proof if status == PROVED else "")


def recorded_report(metric: Metric, laws: Iterable[Law] | None = None) -> LawReport:
    """The claims on a metric as verdicts."""
    one = ScoredRecord(metric)
    verdicts = {law.name: _verdict(one, law) for law in (STATEMENTS.values() if laws is None else laws)}
    return LawReport(str(metric), K, N, verdicts, {law: {verdict.reading: verdict} for law, verdict in verdicts.items()})


def recorded_table(metrics: Iterable[Metric] | None = None, laws: Iterable[Law] | None = None) -> LawTable:
    """The claims on many metrics."""
    chosen = list(STATEMENTS.values()) if laws is None else list(laws)
    members = [m for m in catalogue() if m.needs_only_counts] if metrics is None else metrics
    return LawTable(tuple(law.name for law in chosen), {str(metric): recorded_report(metric, chosen) for metric in members})
