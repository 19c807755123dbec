"""The questions whose answers choose a metric: data, so that the command line, the explorer and the documentation ask the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ordeval.base.errors import ArgumentError, ArgumentTypeError, near
from ordeval.show._plain import align


@dataclass(frozen=True)
class Choice:
    """An answer: its word, what it means, and the laws that then matter."""

    word: str
    means: str
    laws: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """A question with its choices; the first choice is assumed where nobody answers."""

    name: str
    asks: str
    choices: tuple[Choice, ...]

    def answer(self, given: Any) -> Choice:
        """The choice that a word, True or False, or nothing stands for."""
        if given is None:
            return self.choices[0]
        word = {True: "yes", False: "no"}.get(given, given) if isinstance(given, bool) else given
        for choice in self.choices:
            if choice.word == word:
                return choice
        raise ArgumentError(
            f"{{{self.name}:{{given}}}} is not an answer to “{self.asks}”",
            argument=self.name,
            remedy=f"choose one of {', '.join(repr(choice.word) for choice in self.choices)}",
            values={"given": repr(given)},
        )

    def lines(self, number: int, total: int) -> list[str]:
        """The question with its numbered choices, for a terminal."""
        rows = [[f"  {i}", choice.word, choice.means] for i, choice in enumerate(self.choices, 1)]
        return [f"{number}/{total}  {self.asks}", *align(rows)]


QUESTIONS = (
    Question(
        "scale",
        "What do the classes say besides their names?",
        (
            Choice("order", "only which comes first", ("ordinal_invariance", "unused_class")),
            Choice("steps", "every step is as long as any other", ("ordinal_monotonicity", "unused_class")),
            Choice("interval", "they are intervals of a number, with known edges", ("scale_invariance", "maximal_agreement")),
        ),
    ),
    Question(
        "rare",
        "Is a class rare, and who is harmed by errors there?",
        (
            Choice("no", "no class is rare"),
            Choice("theirs", "the few in it: their errors must weigh more", ("imbalance", "density_imbalance")),
            Choice("everyone", "everyone alike: each row counts the same"),
        ),
    ),
    Question(
        "prevalence",
        "Must the score ignore how frequent the classes are?",
        (
            Choice("no", "it is read on one test set, or on similar sets", ("prevalence",)),
            Choice("yes", "it is compared between sets with different class shares", ("prevalence",)),
        ),
    ),
    Question(
        "probabilities",
        "Does the model give a probability for each class?",
        (Choice("no", "it gives a class"), Choice("yes", "it gives probabilities, and they are to be judged")),
    ),
    Question(
        "open_band",
        "Is the lowest or the highest class open, as in “90 or more”?",
        (Choice("no", "every class has two ends"), Choice("yes", "one has no end", ("relabelling", "scale_invariance"))),
    ),
    Question(
        "audience",
        "Who will read the score?",
        (
            Choice("ourselves", "we alone, from one version to the next"),
            Choice("papers", "readers of papers, with published numbers", ("transpose",)),
            Choice("public", "people who know no metrics"),
        ),
    ),
)


def answers(given: Mapping[str, Any]) -> dict[str, Choice]:
    """The choice for every question."""
    known = {question.name: question for question in QUESTIONS}
    for name in given:
        if name not in known:
            raise ArgumentTypeError(
                "there is no question {name}",
                remedy=near(name, known) or f"the questions are {', '.join(known)}",
                values={"name": repr(name)},
            )
    return {name: question.answer(given.get(name)) for name, question in known.items()}
