"""How sure are we?  Intervals, comparisons, ranks, dominance, planning: from Counts to plain dataclasses."""
