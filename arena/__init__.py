"""Plays one match between sandboxed bots: referee, runner, sandbox, clocks, verdicts.

Knows the rules (`engine`) and the wire messages (`bots_sdk`); knows no Django, no database and no secret.
"""
