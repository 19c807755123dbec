"""What single kernels need: cheapest paths, open intervals."""
