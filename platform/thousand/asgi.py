"""ASGI entry point (uvicorn)."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "thousand.settings.production")
application = get_asgi_application()
