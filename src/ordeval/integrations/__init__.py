"""Where other libraries meet the scores."""
