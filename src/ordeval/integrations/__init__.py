"""Other libraries' conventions over ordeval's own names: each module needs its library and imports nothing heavy before."""
