"""What `manage.py bench` measures: the embedded or the production site with a few addresses more."""

import os

if os.environ.get("THOUSAND_BENCH_DATABASE") == "postgresql":
    from thousand.settings.production import *  # noqa: F403 - Django settings compose by star import
else:
    from thousand.settings.embedded import *  # noqa: F403

ROOT_URLCONF = "thousand.operations.bench.urls"
