"""The metrics, one file per family, each kernel above its public function."""
