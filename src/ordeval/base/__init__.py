"""What knows nothing of classes: arrays, files, progress."""
