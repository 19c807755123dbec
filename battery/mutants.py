"""Small deliberate mistakes: every place in a file where one sign, number, bound or branch could be wrong.

A mutant is a replacement of one stretch of source by another.  Messages, annotations, docstrings and the prose of a metric's
record are left alone: no test should depend on their wording.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

COMPARISONS = {
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt,), ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt,),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
}  # fmt: skip
ARITHMETIC = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div, ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.MatMult: ast.Mult,
}  # fmt: skip
EXCHANGED = {
    "any": "all", "all": "any", "min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum", "floor": "ceil",
    "ceil": "floor", "argmin": "argmax", "argmax": "argmin", "below": "above", "above": "below", "truths": "predictions",
    "predictions": "truths", "zeros": "ones", "ones": "zeros", "sin": "cos", "sqrt": "abs", "rank_distance": "rank_difference",
}  # fmt: skip
COMMUTING = {"min", "max", "minimum", "maximum", "logaddexp"}  # the order of what they are given does not matter
PROSE = {"title", "cite", "undefined", "laws", "broken", "aliases", "stacklevel"}  # arguments that only words are given to
SILENT = {"warn", "warn_inferred", "warn_undefined", "shown"}  # calls that speak


@dataclass(frozen=True)
class Mutant:
    file: str  #: from the root of the repository
    line: int
    code: str  #: that line
    operator: str
    before: str
    after: str
    start: int  #: bytes of the source that are replaced
    end: int
    statement: int  #: the line on which the statement begins
    inside: bool  #: in the body of a function, so that it can be tried in a running process
    again: int = 0  #: how many mutants above it in the file read the same

    def apply(self, source: bytes) -> bytes:
        return source[: self.start] + self.after.encode() + source[self.end :]

    @property
    def name(self) -> str:
        return f"{self.file}:{self.line} {self.operator}: {_short(self.before)} -> {_short(self.after)}"

    @property
    def key(self) -> tuple[str | int, ...]:
        """What the mutant is, wherever its line has moved."""
        return self.file, self.code, self.operator, self.before, self.after, self.again


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 70 else text[:67] + "..."


def mutants_of(root: Path, file: str) -> list[Mutant]:
    found, seen = [], Counter[tuple[str | int, ...]]()
    for mutant in _Finder((root / file).read_bytes(), file).find():
        found.append(replace(mutant, again=seen[mutant.key]))
        seen[mutant.key] += 1
    return found


class _Finder:
    def __init__(self, source: bytes, file: str) -> None:
        self.source, self.file = source, file
        self.tree = ast.parse(source)
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def find(self) -> Iterator[Mutant]:
        for statement in self.tree.body:
            yield from self._statement(statement, inside=False)

    def _statement(self, node: ast.stmt, inside: bool) -> Iterator[Mutant]:
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.Raise, ast.Assert, ast.Global, ast.Pass)):
            return
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return
        if isinstance(node, ast.Expr):
            if isinstance(node.value, ast.Constant):
                return
            called = node.value.func if isinstance(node.value, ast.Call) else None
            if getattr(called, "attr", getattr(called, "id", "")) in SILENT:
                return
            if inside:
                yield self._made(node, node, "remove the statement", "pass", inside)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            defaults = [d for d in (*node.args.defaults, *node.args.kw_defaults) if d is not None]
            for expression in (*node.decorator_list, *defaults):
                yield from self._expression(expression, node, inside)
            for child in node.body:
                yield from self._statement(child, True)
            return
        if isinstance(node, ast.ClassDef):
            for child in node.body:
                yield from self._statement(child, False)
            return
        if isinstance(node, ast.Return) and node.value is not None and not _is_constant(node.value):
            yield self._made(node.value, node, "return nothing", "None", inside)
        if isinstance(node, (ast.If, ast.While)):
            yield self._made(node.test, node, "negate the condition", f"not ({ast.unparse(node.test)})", inside)
        if isinstance(node, ast.AugAssign) and type(node.op) in ARITHMETIC:
            other = ast.AugAssign(node.target, ARITHMETIC[type(node.op)](), node.value)
            yield self._made(node, node, "arithmetic", ast.unparse(other), inside)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "type_comment"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.stmt):
                    yield from self._statement(child, inside)
                elif isinstance(child, ast.excepthandler):
                    for inner in child.body:
                        yield from self._statement(inner, inside)
                elif isinstance(child, ast.expr):
                    yield from self._expression(child, node, inside)
                elif isinstance(child, ast.withitem):
                    yield from self._expression(child.context_expr, node, inside)

    def _expression(self, node: ast.AST, statement: ast.stmt, inside: bool, even: bool = False) -> Iterator[Mutant]:
        """What could be wrong in an expression; ``even`` where its sign does not matter."""
        if isinstance(node, ast.JoinedStr):
            return
        if isinstance(node, ast.expr):
            for operator, text in changes(node):
                if not (even and operator == "swap sides" and isinstance(node.op, ast.Sub)):  # type: ignore[attr-defined]
                    yield self._made(node, statement, operator, text, inside)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.keyword) and child.arg in PROSE:
                continue
            if isinstance(child, ast.arguments):
                continue
            yield from self._expression(child, statement, inside or isinstance(node, ast.Lambda), _is_even(node, child))

    def _made(self, node: ast.expr | ast.stmt, statement: ast.stmt, operator: str, text: str, inside: bool) -> Mutant:
        start = self.starts[node.lineno - 1] + node.col_offset
        end = self.starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[operator]
        before = self.source[start:end].decode()
        if isinstance(node, ast.expr) and text != "None":
            text = f"({text})" if " " in text and not (text[0] in "([{" and text[-1] in ")]}") else text
        code = self.source[self.starts[node.lineno - 1] : self.starts[node.lineno]].decode().strip()
        return Mutant(self.file, node.lineno, code, operator, before, text, start, end, statement.lineno, inside)


def changes(node: ast.expr) -> Iterator[tuple[str, str]]:
    """What could stand here by mistake: (the kind of mistake, the text)."""
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            for other in COMPARISONS[type(op)]:
                yield (
                    "comparison",
                    ast.unparse(ast.Compare(node.left, [*node.ops[:i], other(), *node.ops[i + 1 :]], node.comparators)),
                )
    elif isinstance(node, ast.BinOp) and not _is_text(node):
        if type(node.op) in ARITHMETIC:
            yield "arithmetic", ast.unparse(ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right))
        if isinstance(node.op, (ast.Sub, ast.Div, ast.Pow)):
            yield "swap sides", ast.unparse(ast.BinOp(node.right, node.op, node.left))
    elif isinstance(node, ast.BoolOp):
        yield "and/or", ast.unparse(ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values))
    elif isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.UAdd):
        yield "remove the sign", ast.unparse(node.operand)
    elif isinstance(node, ast.Constant):
        yield from _constants(node)
    elif isinstance(node, ast.IfExp):
        yield "swap branches", ast.unparse(ast.IfExp(node.test, node.orelse, node.body))
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        for bound in ("lower", "upper"):
            if getattr(node.slice, bound) is not None:
                without = ast.Slice(**{**{f: getattr(node.slice, f) for f in ("lower", "upper", "step")}, bound: None})
                yield "slice", ast.unparse(ast.Subscript(node.value, without, node.ctx))
    elif isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
        if any(generator.ifs for generator in node.generators):
            unfiltered = [ast.comprehension(g.target, g.iter, [], g.is_async) for g in node.generators]
            fields = {f: getattr(node, f) for f in node._fields if f != "generators"}
            yield "no filter", ast.unparse(type(node)(**fields, generators=unfiltered))
    elif isinstance(node, ast.Call):
        yield from _calls(node)


def _constants(node: ast.Constant) -> Iterator[tuple[str, str]]:
    if isinstance(node.value, bool):
        yield "constant", repr(not node.value)
    elif isinstance(node.value, int):
        yield "constant", repr(node.value + 1)
    elif isinstance(node.value, float):
        yield "constant", repr(node.value * 2 or 1.0)


def _calls(node: ast.Call) -> Iterator[tuple[str, str]]:
    plain = [arg for arg in node.args if not isinstance(arg, ast.Starred)]
    name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr if isinstance(node.func, ast.Attribute) else ""
    several = len(node.args) >= 2 and len(plain) == len(node.args) and ast.dump(plain[0]) != ast.dump(plain[1])
    if several and name not in COMMUTING:
        yield "swap arguments", ast.unparse(ast.Call(node.func, [node.args[1], node.args[0], *node.args[2:]], node.keywords))
    if name in EXCHANGED:
        function = (
            ast.Name(EXCHANGED[name]) if isinstance(node.func, ast.Name) else ast.Attribute(node.func.value, EXCHANGED[name])
        )
        yield "exchange", ast.unparse(ast.Call(function, node.args, node.keywords))
    if name == "reversed" and len(node.args) == 1:
        yield "exchange", ast.unparse(ast.Call(ast.Name("list"), node.args, []))
    if name == "sorted":
        yield "exchange", ast.unparse(ast.Call(ast.Name("list"), node.args[:1], []))


def _is_even(node: ast.AST, child: ast.AST) -> bool:
    """The sign of the child is lost: in abs(child), or child ** 2."""
    if isinstance(node, ast.Call):
        return getattr(node.func, "attr", getattr(node.func, "id", "")) in ("abs", "fabs", "square")
    squared = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and child is node.left
    return squared and isinstance(node.right, ast.Constant) and node.right.value in (2, 2.0)  # type: ignore[attr-defined]


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_text(node: ast.BinOp) -> bool:
    return any(
        isinstance(x, (ast.JoinedStr, ast.Constant)) and isinstance(getattr(x, "value", ""), str) for x in (node.left, node.right)
    )
