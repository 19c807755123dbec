"""What files say of their columns beside the values, for the columns that are read: refusals, orders, names, and what is gone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ordeval.counts.audit import ReadAs, merge_changes
from ordeval.order.columns import Column
from ordeval.order.orders import common_order
from ordeval.read.converted import ColumnFacts
from ordeval.read.ledger import OpenFile


def facts_of(files: Sequence[OpenFile], name: str) -> list[ColumnFacts]:
    """What the files say of a column, those that say anything."""
    said = [file.converted.facts.get(name) for file in files if file.converted is not None]
    return [facts for facts in said if facts is not None]


def refuse_by_facts(files: Sequence[OpenFile], names: Iterable[str]) -> None:
    """Refuse a column that cannot be used at all."""
    for name in names:
        for facts in facts_of(files, name):
            if facts.refusal:
                raise ValueError(facts.refusal)


def changes_in(files: Sequence[OpenFile], names: Iterable[str]) -> list[ReadAs]:
    """What was written in some columns where nothing is now."""
    every = [(name, facts) for name in dict.fromkeys(names) for facts in facts_of(files, name) if facts.changes]
    return list(merge_changes(ReadAs(name, {why: dict(texts) for why, texts in facts.changes.items()}) for name, facts in every))


def with_facts(column: Column, files: Sequence[OpenFile], name: str, shown: str) -> Column:
    """A column with what all files say of it: the order of its categories, the names of its codes."""
    every = facts_of(files, name)
    if every and all(facts.orders for facts in every):
        orders = tuple(dict.fromkeys(order for facts in every for order in facts.orders))
        order = common_order(orders)
        return replace(column, orders=orders) if order is None else column.in_order(order)
    if any(facts.names != every[0].names for facts in every):
        raise ValueError(f"{shown}: the files give the codes of {name} different labels; convert one of them")
    told = next((facts for facts in every if facts.no_order or facts.as_labels), every[0] if every else None)
    return replace(column, facts=told)
