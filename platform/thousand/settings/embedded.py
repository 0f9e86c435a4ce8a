"""`make up`: everything in one process on SQLite, under DATA."""

import logging

from thousand.settings.base import *  # noqa: F403 - Django settings compose by star import
from thousand.settings.base import DATA
from thousand.settings.secret import read_or_create_secret_key
from thousand.settings.sqlite import sqlite_database

SECRET_KEY = read_or_create_secret_key(DATA)
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
DATABASES = {"default": sqlite_database(DATA / "thousand.sqlite3")}
# Every thread keeps its connection: opening the file and setting it up costs more than most queries.
DATABASES["default"]["CONN_MAX_AGE"] = None
# Mail (a forgotten password) is shown in the terminal.
EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
CELERY_BROKER_TRANSPORT_OPTIONS = {"polling_interval": 0.02}
# The thread that makes analyses looks at the rows; nobody would ever take the messages off the broker.
ANALYSIS_BELL = False
logging.raiseExceptions = False  # a log file on a full disk is no news

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "visitors": {"()": "thousand.operations.consolelog.NoVisitors"},
        "again": {"()": "thousand.operations.consolelog.NotAgain"},
    },
    "formatters": {
        "line": {"()": "thousand.operations.consolelog.OneLine"},
        "full": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["visitors", "again"],
        },
        "file": {
            "class": "logging.handlers.RotatingFileHandler",
            "filename": DATA / "arena.log",
            "formatter": "full",
            "maxBytes": 2**20,
            "backupCount": 2,
            "delay": True,
        },
    },
    "root": {"handlers": ["console", "file"], "level": "WARNING"},
    # Django gives these two handlers of their own.
    "loggers": {"django": {"handlers": [], "propagate": True}, "django.server": {"handlers": []}},
}
"""One line a trouble in the terminal, all of it in DATA/arena.log."""
