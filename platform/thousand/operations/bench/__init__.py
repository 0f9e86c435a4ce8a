"""Benchmarks of the platform, run by `manage.py bench`: the read path of a real server, and the queue."""
