"""Verdicts as JUnit XML, which continuous integration shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from ordeval.base.docs import documented
from ordeval.infer._rules import RuleVerdict

ELEMENTS = {"fail": "failure", "undecided": "error", "skipped": "skipped"}
#: What XML 1.0 cannot hold, even escaped.
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(verdicts: Sequence[RuleVerdict]) -> str:
    """A suite for each model, a case for each rule and group."""
    suites: dict[str, list[RuleVerdict]] = {}
    for verdict in verdicts:
        suites.setdefault(verdict.model, []).append(verdict)
    lines = [_opened("testsuites", verdicts, name="ordeval")]
    for model, found in suites.items():
        lines.append(f"  {_opened('testsuite', found, name=model or 'model')}")
        lines += [f"    {line}" for verdict in found for line in _case(verdict)]
        lines.append("  </testsuite>")
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', *lines, "</testsuites>", ""])


@documented("The XML.", message="What went wrong.")
def junit_error(message: str) -> str:
    """One error, where the rules could not be judged at all."""
    numbers = 'tests="1" failures="0" errors="1" skipped="0"'
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="ordeval" {numbers}>\n  <testsuite name="ordeval" {numbers}>\n'
        f'    <testcase classname="ordeval" name="check">\n      <error message={_attribute(message)}/>\n    </testcase>\n'
        "  </testsuite>\n</testsuites>\n"
    )


def _case(verdict: RuleVerdict) -> list[str]:
    name = verdict.name or str(verdict.rule)
    title = f"{name} [{verdict.group}]" if verdict.group else name
    start = f"<testcase classname={_attribute(verdict.model or 'model')} name={_attribute(title)}"
    said = _text(f"{verdict.rule}   {verdict.found}")
    if verdict.outcome == "pass":
        return [f"{start}>", f"  <system-out>{said}</system-out>", "</testcase>"]
    element = ELEMENTS[verdict.outcome]
    return [f"{start}>", f"  <{element} message={_attribute(f'{verdict.rule}   {verdict.found}')}/>", "</testcase>"]


def _opened(element: str, verdicts: Sequence[RuleVerdict], *, name: str) -> str:
    number = {word: sum(verdict.outcome == outcome for verdict in verdicts) for outcome, word in ELEMENTS.items()}
    counted = f'failures="{number["failure"]}" errors="{number["error"]}" skipped="{number["skipped"]}"'
    return f'<{element} name={_attribute(name)} tests="{len(verdicts)}" {counted}>'


def _attribute(text: str) -> str:
    return quoteattr(NOT_XML.sub("\ufffd", text))


def _text(text: str) -> str:
    return escape(NOT_XML.sub("\ufffd", text))
