"""The public names and their signatures are recorded in api.txt: a change of them is seen, and meant.

`python tests/house/test_api.py` writes the record anew; docs/versioning.md says what may change when.
"""

import dataclasses
import difflib
import inspect
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from public_surface import public_names

RECORD = Path(__file__).parent / "api.txt"


def parameters(function):
    """Names, kinds and defaults; types are checked elsewhere."""
    shown = [p.replace(annotation=inspect.Parameter.empty) for p in inspect.signature(function).parameters.values()]
    return str(inspect.Signature(shown))


def members(cls):
    """Public methods, properties and fields that a class of ours offers, its bases of ours included."""
    found = {field.name: ": field" for field in dataclasses.fields(cls)} if dataclasses.is_dataclass(cls) else {}
    made = not found and "__init__" in vars(cls)
    for base in reversed([base for base in cls.__mro__ if base.__module__.startswith("ordeval")]):
        for name, value in vars(base).items():
            plain = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
            if inspect.isfunction(plain):
                kind = {classmethod: " classmethod", staticmethod: " staticmethod"}.get(type(value), "")
                found[name] = f"{parameters(plain)}{kind}"
            elif isinstance(value, property) or hasattr(value, "func"):
                found[name] = ": property"
    public = {name: text for name, text in sorted(found.items()) if not name.startswith("_")}
    return {"__init__": found["__init__"], **public} if made else public


def lines():
    for name, value in sorted(public_names().items()):
        if isinstance(value, type):
            bases = ", ".join(base.__name__ for base in value.__bases__ if base is not object)
            yield f"class {name}({bases})" if bases else f"class {name}"
            yield from (f"    {member}{text}" for member, text in members(value).items())
        elif callable(value):
            yield f"{name}{parameters(value)}"
        else:
            yield f"{name}: {type(value).__name__}"


def test_the_public_names_are_those_recorded():
    recorded, now = RECORD.read_text(encoding="utf-8").splitlines(), list(lines())
    changed = "\n".join(difflib.unified_diff(recorded, now, "recorded", "now", n=0, lineterm=""))
    assert not changed, (
        f"the public names changed; if that is meant: python tests/house/test_api.py, and a line in CHANGELOG.md\n{changed}"
    )


if __name__ == "__main__":
    RECORD.write_text("\n".join(lines()) + "\n", encoding="utf-8", newline="\n")
