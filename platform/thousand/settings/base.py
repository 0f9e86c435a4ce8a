"""What every way of running shares. `embedded` (make up), `production` and `test` build on it."""

import os
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[3]

DATA = Path(os.environ.get("THOUSAND_DATA", REPOSITORY / "data")).resolve()
"""Where database (embedded), secret key, artifacts and collected files live; 0700."""

DEBUG = False
ALLOWED_HOSTS: list[str] = []

INSTALLED_APPS = [
    "thousand.web",  # first, so that its account pages win over allauth's
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "thousand.core",
    "thousand.accounts",
    "thousand.bots",
    "thousand.replays",
    "thousand.matches",
    "thousand.ratings",
    "thousand.tournaments",
    "thousand.ab_tests",
    "thousand.pipeline",
    "thousand.analysis",
    "thousand.api",
    "thousand.operations",
]

MIDDLEWARE = [
    "thousand.web.middleware.RequestIdMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "thousand.web.middleware.ContentSecurityPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "thousand.web.middleware.ApplicationErrorMiddleware",
]

ROOT_URLCONF = "thousand.urls"
ASGI_APPLICATION = "thousand.asgi.application"
WSGI_APPLICATION = "thousand.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "thousand.web.context.site",
            ],
        },
    },
]

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
ALLAUTH_TRUSTED_PROXY_COUNT = 0
ACCOUNT_ADAPTER = "thousand.accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_FORMS = {"signup": "thousand.accounts.forms.AccountForm"}
ACCOUNT_EMAIL_VERIFICATION = "none"
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_LOGOUT_REDIRECT_URL = "/"

CSRF_FAILURE_VIEW = "thousand.web.views.errors.csrf_failure"
X_FRAME_OPTIONS = "SAMEORIGIN"  # the viewer is embedded in the site's own pages

LANGUAGE_CODE = "en-gb"
LANGUAGES = [("en", "English")]
LOCALE_PATHS = [REPOSITORY / "platform" / "thousand" / "locale"]
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True

THOUSAND_DATA = DATA

STATIC_URL = "/static/"
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "thousand.web.bundles.BundleFinder",
]
STATIC_ROOT = DATA / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # Compressed once by collectstatic. Names stay unhashed: the viewer's modules import each other by name.
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_SCHEMA_CLASS": "thousand.api.schema.ApiSchema",
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "thousand.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["thousand.api.parsers.StrictJSONParser"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "thousand.api.pagination.KeysetPagination",
    "DEFAULT_THROTTLE_CLASSES": ["thousand.api.throttling.CallsThrottle"],
    "EXCEPTION_HANDLER": "thousand.api.errors.problem_response",
    "NUM_PROXIES": 0,  # nobody may choose the address that rates are counted by
}
# Calls an address (anonymous) or an account may make; the scopes are named in `thousand.api.throttling`.
API_RATES = {
    "anonymous": "600/min",
    "account": "1200/min",
    "upload": "30/hour",
    "organise": "60/hour",
    "analyse": "60/hour",
    "analyse_anonymous": "10/hour",
}

SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Thousand Arena",
    "DESCRIPTION": (
        "Ladders, bots, blocks, matches and replays of the arena. Lists page by key; "
        "errors are `application/problem+json`, also for a parameter that is not named here."
    ),
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        "BotState": "thousand.bots.models.BotState.choices",
        "VersionState": "thousand.bots.models.VersionState.choices",
        "BlockKind": "thousand.matches.models.BlockKind.choices",
        "BlockState": "thousand.matches.models.BlockState.choices",
        "MatchState": "thousand.matches.models.MatchState.choices",
        "AnalysisState": "thousand.analysis.selectors.STATES",
        "AbState": "thousand.ab_tests.models.AbState.choices",
        "TournamentState": "thousand.tournaments.models.TournamentState.choices",
        "TitleState": "thousand.tournaments.formats.table.TitleState",
    },
}

# Matches travel as tasks without results; the database is the truth, the broker a doorbell.
CELERY_BROKER_URL = "memory://localhost/"
CELERY_TIMEZONE = "UTC"
CELERY_TASK_DEFAULT_QUEUE = "platform"
CELERY_TASK_IGNORE_RESULT = True
# Acknowledged before they run and never redelivered: the sweep recovers, not the broker.
CELERY_TASK_ACKS_LATE = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

ANALYSIS_BELL = True
"""Analysis workers wait for a message: one is sent when there is something for them."""

THOUSAND_SITE_URL = os.environ.get("THOUSAND_SITE_URL", "").rstrip("/")
"""Base of the signed addresses under which workers fetch artifacts. Empty: workers share this disk and
get `file:` addresses."""

THOUSAND_PACE = {"house_blocks": 60, "house_seconds": 60}
"""A ladder on which only house bots play slows down after so many rated blocks, to one in so many seconds."""

THOUSAND_REPLAYS = {"pack_after_days": 7, "packed_a_night": 20_000}
"""Replays are packed into two thirds of the space so long after they became public; 0 a night for never."""

THOUSAND_QUOTAS = {
    "bots": 3,
    "versions_a_day": 20,
    "artifact_bytes": 20 * 1024 * 1024,
}
"""What one owner may have and send."""

THOUSAND_AB_QUOTAS = {
    "running": 1,
    "a_day": 10,
    "matches": 1200,
}
"""Private tests of one owner: at a time, within 24 hours, and matches of each."""

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
}
