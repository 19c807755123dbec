"""The public names: those at the top, and those of every room by subject."""

import inspect

import ordeval


def public_names():
    """{dotted name below ordeval: what it is}; a name that is listed in two places stands in both."""
    found = {name: getattr(ordeval, name) for name in ordeval.__all__}
    for room in ordeval._NAMESPACES:
        space = getattr(ordeval, room)
        found |= {f"{room}.{name}": getattr(space, name) for name in getattr(space, "__all__", ())}
    return {name: value for name, value in found.items() if not inspect.ismodule(value)}
