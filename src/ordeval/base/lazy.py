"""A property that is computed once, when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class lazy(Generic[T]):  # noqa: N801 - used as a decorator, like property
    """Like ``functools.cached_property``, without its lock.

    Before Python 3.12 that has one lock for all instances, so one thread's evaluation makes every other's wait.  Here two threads may
    both compute; all get the first result that was stored.  What is computed must therefore depend on the instance alone.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self.compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> lazy[T]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> lazy[T] | T:
        if instance is None:
            return self
        found: T = vars(instance).setdefault(self.name, self.compute(instance))  # one atomic step
        return found
