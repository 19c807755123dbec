"""Pairs of int8 on a GPU: checked counts against reading the columns once, torch.bincount and torchmetrics.

python benchmarks/gpu.py [--rows 1000000000] [--out benchmarks/results/gpu.md]

Needs a CUDA device with room for about eight bytes a row; without torchmetrics its lines are left out.
"""

import argparse
import statistics
import sys
from collections.abc import Callable
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))  # runs where nothing can be installed

from ordeval.integrations.torch import count

CLASSES = (5, 10, 100)
SLICE = 1 << 26  # rows at a time for those who would need eight bytes for each
ROUNDS = 9
READ, OURS = "read both columns once", "ordeval.integrations.torch.count, labels given"
PEER = "torchmetrics MulticlassConfusionMatrix.update"
PEER_UNCHECKED = "torchmetrics MulticlassConfusionMatrix.update, validate_args=False"
AIM = 5.0


def milliseconds(runs: dict[str, Callable[[], object]]) -> dict[str, tuple[float, float, float]]:
    """Median, least and most of CUDA-event timings: after one warm-up the candidates take turns."""
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for round_ in range(ROUNDS + 1):
        for name, run in runs.items():
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
            run()
            end.record()
            torch.cuda.synchronize()
            if round_:
                taken[name].append(start.elapsed_time(end))
    return {name: (statistics.median(times), min(times), max(times)) for name, times in taken.items()}


def candidates(true: torch.Tensor, pred: torch.Tensor, k: int) -> dict[str, Callable[[], object]]:
    whole = len(true) // 8 * 8
    words = [column[:whole].view(torch.int64) for column in (true, pred)]
    runs: dict[str, Callable[[], object]] = {
        READ: lambda: [column.sum() for column in words],
        OURS: lambda: count(true, pred, labels=range(k)),
        "ordeval.integrations.torch.count, labels taken from the data": lambda: count(true, pred),
        "torch.bincount on int64 codes, unchecked": lambda: bincount(true, pred, k),
    }
    try:
        from torchmetrics.classification import MulticlassConfusionMatrix
    except ImportError:
        print("torchmetrics is not installed: its lines are left out")
        return runs
    from ordeval.integrations.torchmetrics import OrdinalMetric

    def batches(metric: torch.nn.Module) -> Callable[[], object]:
        return lambda: [metric.update(p, t) for t, p in zip(true.split(SLICE), pred.split(SLICE), strict=True)]

    return {
        **runs,
        "ordeval OrdinalMetric.update": batches(OrdinalMetric("cem", labels=range(k)).to(true.device)),
        PEER: batches(MulticlassConfusionMatrix(k).to(true.device)),
        PEER_UNCHECKED: batches(MulticlassConfusionMatrix(k, validate_args=False).to(true.device)),
    }


def bincount(true: torch.Tensor, pred: torch.Tensor, k: int) -> torch.Tensor:
    table = torch.zeros(k * k, dtype=torch.int64, device=true.device)
    for t, p in zip(true.split(SLICE), pred.split(SLICE), strict=True):
        table += torch.bincount(t.to(torch.int64) * k + p, minlength=k * k)
    return table.view(k, k)


def measure(rows: int) -> str:
    device = torch.device("cuda")
    results = {}
    for k in CLASSES:
        generator = torch.Generator(device).manual_seed(k)
        true, pred = (torch.randint(0, k, (rows,), dtype=torch.int8, device=device, generator=generator) for _ in range(2))
        expected = bincount(true, pred, k).tolist()
        for labels in (None, range(k)):
            assert count(true, pred, labels=labels).matrix.tolist() == expected
        results[k] = milliseconds(candidates(true, pred, k))
        del true, pred
        torch.cuda.empty_cache()
    return as_markdown(rows, results)


def as_markdown(rows: int, results: dict[int, dict[str, tuple[float, float, float]]]) -> str:
    head = f"# Counting {rows:,} pairs of int8 on a GPU\n\n"
    head += f"{torch.cuda.get_device_name()}, torch {torch.__version__}. Milliseconds by CUDA events, the wait for the result included: "
    head += f"the median of {ROUNDS} interleaved rounds (least to most). `python benchmarks/gpu.py` measures it again.\n\n"
    lines = ["| | " + " | ".join(f"K = {k}" for k in results) + " |", "|---|" + "---:|" * len(results)]
    for name in next(iter(results.values())):
        cells = [f"{times[name][0]:.2f} ({times[name][1]:.2f} to {times[name][2]:.2f})" for times in results.values()]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    ratios = {f"`{OURS}` against reading once": (OURS, READ)}
    if all(PEER in times for times in results.values()):
        ratios |= {f"{name} against `{OURS}`": (name, OURS) for name in (PEER, PEER_UNCHECKED)}
    for what, (above, below) in ratios.items():
        lines.append(f"| {what} | {' | '.join(f'{t[above][0] / t[below][0]:.1f}×' for t in results.values())} |")
    if all(PEER in times for times in results.values()):
        reached = all(times[PEER][0] >= AIM * times[OURS][0] for times in results.values())
        lines.append(f"\nAim: at least {AIM:g} times faster than torchmetrics' own confusion matrix, each with its checks: ")
        lines[-1] += "reached." if reached else "MISSED."
    return head + "\n".join(lines) + "\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10**9)
    parser.add_argument("--out", type=Path, help="also write the table here")
    asked = parser.parse_args()
    if not torch.cuda.is_available():
        sys.exit("there is no CUDA device here; this benchmark measures one")
    table = measure(asked.rows)
    print(table)
    if asked.out is not None:
        asked.out.write_text(table, encoding="utf-8")
