"""The command line: one command, one file.  It only calls public names and prints what results say."""
