"""What server.py consists of: the work, the servers that do it, and the report."""
