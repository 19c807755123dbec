"""Modules over a library that is not installed are left out where pytest looks for their examples."""

from importlib.util import find_spec

NEEDS = {"src/ordeval/integrations/torch.py": "torch", "src/ordeval/integrations/torchmetrics.py": "torchmetrics"}

collect_ignore = [module for module, library in NEEDS.items() if find_spec(library) is None]
