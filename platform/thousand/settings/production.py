"""PostgreSQL and Redis, configured by the environment alone."""

import os

from celery.schedules import crontab

from thousand.settings.base import *  # noqa: F403 - Django settings compose by star import
from thousand.settings.base import DATA, REST_FRAMEWORK

SECRET_KEY = os.environ["THOUSAND_SECRET_KEY"]
ALLOWED_HOSTS = os.environ["THOUSAND_HOSTS"].split(",")
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS]

DATA.mkdir(mode=0o700, parents=True, exist_ok=True)

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": os.environ.get("PGDATABASE", "thousand"),
        "HOST": os.environ.get("PGHOST", "127.0.0.1"),
        "PORT": os.environ.get("PGPORT", "5432"),
        "USER": os.environ.get("PGUSER", "thousand"),
        "PASSWORD": os.environ.get("PGPASSWORD", ""),
        # psycopg's pool refuses persistent connections.
        "CONN_MAX_AGE": 0,
        # PostgreSQL keeps the plans of a few reads (`core.prepared`) as long as a connection lives. A pooler
        # that changes connections between transactions bears none: then THOUSAND_PREPARE=0.
        "OPTIONS": {
            "pool": {"min_size": 1, "max_size": 8},
            "prepare_threshold": 1 if os.environ.get("THOUSAND_PREPARE", "1") != "0" else None,
        },
    }
}
CELERY_BROKER_URL = os.environ.get("THOUSAND_BROKER", "redis://127.0.0.1:6379/0")
CACHES = {
    # Calls are counted here, together for all web processes; without Redis each would count its own.
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": os.environ.get("THOUSAND_CACHE", CELERY_BROKER_URL),
        "KEY_PREFIX": "thousand-cache",
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
    }
}
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA / "celerybeat-schedule")
# Two seconds, as the recovery times in docs/operations.md promise. A tick that waited is not worth running.
CELERY_BEAT_SCHEDULE = {
    "tick": {"task": "platform.tick", "schedule": 2.0, "options": {"expires": 2.0}},
    # Does something once a day: see `operations.nightly`.
    "nightly": {"task": "operations.nightly", "schedule": crontab(minute=17), "options": {"expires": 3000.0}},
    "analyses": {"task": "analysis.recover", "schedule": 10.0, "options": {"expires": 10.0}},
}
# Mail goes out only where a server for it is named; otherwise it is written to the log.
EMAIL_HOST = os.environ.get("THOUSAND_SMTP_HOST", "")
EMAIL_PORT = int(os.environ.get("THOUSAND_SMTP_PORT", "587"))
EMAIL_HOST_USER = os.environ.get("THOUSAND_SMTP_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("THOUSAND_SMTP_PASSWORD", "")
EMAIL_USE_TLS = EMAIL_PORT == 587
DEFAULT_FROM_EMAIL = os.environ.get("THOUSAND_MAIL_FROM", f"arena@{ALLOWED_HOSTS[0]}")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
PROXIES = int(os.environ.get("THOUSAND_PROXIES", "1"))
"""Proxies in front of the site that set `X-Forwarded-For`."""
REST_FRAMEWORK = {**REST_FRAMEWORK, "NUM_PROXIES": PROXIES}
ALLAUTH_TRUSTED_PROXY_COUNT = PROXIES
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
