"""What a metric is: its record, the registry, what a call does."""
