"""One file for each page: it lays out what the plain modules compute."""
