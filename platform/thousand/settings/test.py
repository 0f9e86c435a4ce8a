"""The test suite: SQLite by default, PostgreSQL with `THOUSAND_TEST_DATABASE=postgresql`."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

DATA = Path(tempfile.mkdtemp(prefix="thousand-test-"))
os.environ["THOUSAND_DATA"] = str(DATA)
atexit.register(shutil.rmtree, DATA, ignore_errors=True)

from thousand.settings.base import *  # noqa: E402, F403 - DATA must be set first
from thousand.settings.base import API_RATES  # noqa: E402
from thousand.settings.sqlite import sqlite_database  # noqa: E402

SECRET_KEY = "test"
ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost"]
API_RATES = dict.fromkeys(API_RATES, "100000/min")  # the throttle's own tests set what they need
# Pages find their style sheets without collectstatic.
(DATA / "static").mkdir()
WHITENOISE_USE_FINDERS = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

if os.environ.get("THOUSAND_TEST_DATABASE") == "postgresql":
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": os.environ.get("PGDATABASE", "test"),
            "HOST": os.environ.get("PGHOST", "127.0.0.1"),
            "PORT": os.environ.get("PGPORT", "5432"),
            "USER": os.environ.get("PGUSER", "postgres"),
            "PASSWORD": os.environ.get("PGPASSWORD", ""),
            # Statements as in production; no test cuts the power, so no commit waits for the disk.
            "OPTIONS": {"prepare_threshold": 1, "options": "-c synchronous_commit=off"},
            # One database a run, so that two runs on one server do not meet.
            "TEST": {"NAME": f"test_thousand_{os.getpid()}"},
        }
    }
else:
    DATABASES = {"default": sqlite_database(DATA / "thousand.sqlite3")}
    # A file, not memory: threads of one test need connections of their own.
    DATABASES["default"]["TEST"] = {"NAME": DATA / "test.sqlite3"}
