"""From a few answers to two or three metrics.  Every sentence cites a law in the registry or a measurement."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ordeval.base.docs import documented
from ordeval.choose import _measurements as measured
from ordeval.choose._questions import QUESTIONS, Choice, answers
from ordeval.metrics import Metric, get_metric
from ordeval.metrics.core.record import LAWS
from ordeval.show import Block, Card, Code, Line, Result

YesNo: TypeAlias = Literal["no", "yes"]

MOST = 3
AMONG_THE_FIRST = 5  # places by coverage that speak for a metric
STEADY = 0.96  # the least robustness that does
PROBABILITY = "rps_skill"
ASSUMED = [question.choices[0] for question in QUESTIONS]


@dataclass(frozen=True)
class Sentence:
    """Something said of a metric, and what it rests on: a law that it keeps or breaks, or a measurement with its numbers."""

    text: str
    metric: str
    law: str = ""
    kept: bool = False
    measurement: str = ""
    numbers: tuple[float, ...] = ()

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Recommendation:
    """A metric, why, and what it misses."""

    metric: str
    title: str
    reasons: tuple[Sentence, ...]
    misses: tuple[Sentence, ...]


@dataclass(frozen=True)
class Advice(Result):
    """Two or three metrics, the first to decide with.  Printing it shows reasons, misses and code to copy."""

    answers: dict[str, Choice]
    recommendations: tuple[Recommendation, ...]

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that were recommended, the best first."""
        return tuple(found.metric for found in self.recommendations)

    @property
    def reasons(self) -> dict[str, tuple[Sentence, ...]]:
        """Why each was recommended."""
        return {found.metric: found.reasons for found in self.recommendations}

    @property
    def misses(self) -> dict[str, tuple[Sentence, ...]]:
        """What each of them does not see."""
        return {found.metric: found.misses for found in self.recommendations}

    @property
    def code(self) -> str:
        """Python to copy; the labels and the columns are yours to fill in."""
        edges = any("edges" in get_metric(metric).needs for metric in self.metrics)
        last = 'float("inf")' if self.answers["open_band"].word == "yes" else "120"
        labels = f"oe.Scale.from_edges([0, 30, 60, 90, {last}])" if edges else '["low", "middle", "high"]'
        rest = "\n                  metrics=metrics, proba=proba" if PROBABILITY in self.metrics else " metrics=metrics"
        return (
            "import ordeval as oe\n"
            "# your classes, lowest first\n"
            f"labels = {labels}\n"
            f"metrics = {list(self.metrics)!r}\n"
            f"print(oe.evaluate(y_true, y_pred, labels=labels,{rest}))"
        )

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"metric": found.metric, "title": found.title, "side": side, "law": said.law, "text": said.text}
            for found in self.recommendations
            for side, sentences in (("for", found.reasons), ("against", found.misses))
            for said in sentences
        ]

    def _blocks(self) -> list[Block]:
        said = [(name.replace("_", " "), f"{choice.means} ({choice.word})") for name, choice in self.answers.items()]
        blocks: list[Block] = [Card("You said", said)]
        for number, found in enumerate(self.recommendations):
            facts = [*(("+", said.text) for said in found.reasons), *(("−", said.text) for said in found.misses)]
            blocks.append(Card(f"{'beside it' if number else 'decide with'}  {found.metric}   {found.title}", facts))
        return [*blocks, Line("+ speaks for it    − is what it misses"), Code(self.code)]


@documented(
    "The metrics, the first to decide with, with what speaks for each of them and what it misses.",
    **{q.name: q.asks for q in QUESTIONS},
)
def advise(
    *,
    scale: Literal["order", "steps", "interval"] | None = None,
    rare: Literal["no", "theirs", "everyone"] | None = None,
    prevalence: YesNo | bool | None = None,
    probabilities: YesNo | bool | None = None,
    open_band: YesNo | bool | None = None,
    audience: Literal["ourselves", "papers", "public"] | None = None,
) -> Advice:
    """Two or three metrics for what you say of your classes and readers, with reasons, the laws they keep and what they miss.

    `QUESTIONS` says what each answer means; a question left out is answered with its first choice.

    >>> advise(rare="theirs").metrics
    ('cem', 'amae')
    >>> print(advise(prevalence=True).reasons["amae"][0])
    amae keeps the law prevalence: several copies of every row of one true class change nothing.
    """
    given = {
        "scale": scale,
        "rare": rare,
        "prevalence": prevalence,
        "probabilities": probabilities,
        "open_band": open_band,
        "audience": audience,
    }
    chosen = answers(given)
    words = {name: choice.word for name, choice in chosen.items()}
    return Advice(chosen, tuple(_recommend(get_metric(text), chosen, words) for text in _metrics(words)))


def _metrics(said: dict[str, str]) -> list[str]:
    """The metric to decide with, then what belongs beside it; at most three."""
    theirs, open_band = said["rare"] == "theirs", said["open_band"] == "yes"
    if said["prevalence"] == "yes":
        first, second = "amae", "balanced_accuracy"
    elif theirs:  # also for intervals: their total costs leave an error in a rare class cheap (the measurement "majority")
        first, second = ("cem", "amae") if said["scale"] == "order" else ("amae", "cem")
    elif said["scale"] == "interval":
        first, second = ("interval_stc" if open_band else "interval_mae"), "cem"
    else:
        first, second = ("cem" if said["scale"] == "order" else "mae"), "cohen_kappa(weights='linear')"
    beside = [PROBABILITY] if said["probabilities"] == "yes" else []
    beside += {"papers": ["cohen_kappa"], "public": ["accuracy_within"]}.get(said["audience"], [])
    return list(dict.fromkeys([first, *beside, second]))[:MOST]


def _recommend(metric: Metric, chosen: dict[str, Choice], said: dict[str, str]) -> Recommendation:
    reasons, misses = [], []
    # The laws that the answers make matter: first those of answers that are not the ones assumed of everybody.
    asked = sorted(chosen.values(), key=lambda choice: choice in ASSUMED)
    always = ("perfect",) if metric.name == PROBABILITY else ()
    for law in dict.fromkeys([*always, *(law for choice in asked for law in choice.laws)]):
        if law == "relabelling" and "edges" in metric.needs:
            continue  # a metric of lengths cannot be indifferent to an open end by not looking at lengths
        if law in metric.laws:
            text = f"{metric} keeps the law {law}: {LAWS[law]}."
            reasons.append(Sentence(text, str(metric), law=law, kept=True))
        elif law in metric.broken:
            text = f"{metric} breaks the law {law}, which says that {LAWS[law]}."
            misses.append(Sentence(text, str(metric), law=law))
    for good, sentence in _measurements(metric, said):
        (reasons if good else misses).append(sentence)
    return Recommendation(str(metric), metric.title, tuple(reasons), tuple(misses))


def _measurements(metric: Metric, said: dict[str, str]) -> Iterator[tuple[bool, Sentence]]:
    """What was measured of a metric, and whether it speaks for it."""
    text = str(metric)
    if text in measured.RECORDED:
        yield from _from_campaign(text, measured.RECORDED[text])
    if metric.needs <= {"edges"} and metric.name != PROBABILITY:
        if said["rare"] != "no":
            yield _majority(metric)
        yield _distance(metric)
        if said["probabilities"] == "yes":
            yield False, _unseen(metric)
    if text == "interval_stc" and said["open_band"] == "yes":
        even, mostly = measured.open_length(measured.EVEN), measured.open_length(measured.MOSTLY_OPEN)
        yield (
            False,
            Sentence(
                f"The length that interval_stc gives an open class depends on the test set: after classes of length 30 it is {even:.1f} "
                f"with 10, 10 and 10 true rows and {mostly:.1f} with 10, 10 and 80; give unbounded=length to compare test sets.",
                text,
                measurement="open length",
                numbers=(even, mostly),
            ),
        )


def _from_campaign(text: str, found: measured.Measurement) -> Iterator[tuple[bool, Sentence]]:
    yield (
        found.rank <= AMONG_THE_FIRST,
        Sentence(
            f"On the synthetic campaign of the CEM paper {text} covers accuracy, order and imbalance together with {found.coverage:.2f}, "
            f"place {found.rank} of {measured.METRICS} metrics.",
            text,
            measurement="coverage",
            numbers=(found.coverage, found.rank),
        ),
    )
    yield (
        found.robustness >= STEADY,
        Sentence(
            f"Two test cases of that campaign order the systems with a mean rank correlation of {found.robustness:.2f} by {text}.",
            text,
            measurement="robustness",
            numbers=(found.robustness,),
        ),
    )


def _majority(metric: Metric) -> tuple[bool, Sentence]:
    value = measured.score(str(metric), measured.MAJORITY)
    worst, best = metric.bounds_for(len(measured.MAJORITY))
    if metric.direction == "lower":
        worst, best = best, worst
    share = 1.0 if worst in (float("inf"), float("-inf")) else abs(value - worst) / abs(best - worst)
    return share <= 0.5, Sentence(
        f"Where the classes have 90, 6 and 4 rows, always answering the first scores {value:.2f} by {metric} ({best:g} is perfect).",
        str(metric),
        measurement="majority",
        numbers=(value,),
    )


def _distance(metric: Metric) -> tuple[bool, Sentence]:
    near, far = (measured.score(str(metric), table) for table in (measured.NEAR, measured.FAR))
    same = abs(near - far) < 1e-12
    more = "the same" if same else f"{far:.3f}"
    return not same, Sentence(
        f"With one of 40 rows wrong {metric} is {near:.3f} if the answer is the next of four classes, and {more} if it is the farthest.",
        str(metric),
        measurement="distance",
        numbers=(near, far),
    )


def _unseen(metric: Metric) -> Sentence:
    sure, unsure = measured.of_probabilities(str(metric))
    return Sentence(
        f"Forecasts that give the right class 0.9 and 0.4, in either case most of all, score {sure:.2f} and {unsure:.2f} by {metric}: "
        f"it sees the class, not the probability.",
        str(metric),
        measurement="probabilities",
        numbers=(sure, unsure),
    )


#: What stands behind each measurement: the numbers again, computed from the metric's text.
MEASUREMENTS: dict[str, Callable[[str], tuple[float, ...]]] = {
    "majority": lambda metric: (measured.score(metric, measured.MAJORITY),),
    "distance": lambda metric: (measured.score(metric, measured.NEAR), measured.score(metric, measured.FAR)),
    "probabilities": measured.of_probabilities,
    "open length": lambda metric: (measured.open_length(measured.EVEN), measured.open_length(measured.MOSTLY_OPEN)),
}
