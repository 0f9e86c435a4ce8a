"""`make up`: everything in one process on SQLite, under DATA."""

from thousand.settings.base import *  # noqa: F403 - Django settings compose by star import
from thousand.settings.base import DATA
from thousand.settings.secret import read_or_create_secret_key
from thousand.settings.sqlite import sqlite_database

SECRET_KEY = read_or_create_secret_key(DATA)
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
DATABASES = {"default": sqlite_database(DATA / "thousand.sqlite3")}
# Mail (a forgotten password) is shown in the terminal.
EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
CELERY_BROKER_TRANSPORT_OPTIONS = {"polling_interval": 0.02}
