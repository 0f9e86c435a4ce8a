"""ASGI entry point (uvicorn)."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "thousand.settings.production")
django.setup(set_prefix=False)

from thousand.serving import OneThreadHandler, settle_memory  # noqa: E402 - imports what settings decide

application = OneThreadHandler()
settle_memory()
