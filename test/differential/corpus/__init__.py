"""The requests, one module per family of operations; each has a list SCENES."""
