"""Addresses: API under /api/, admin under /admin/, accounts under /accounts/, pages everywhere else."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("api/", include("thousand.api.urls")),
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
    path("artifacts/", include("thousand.core.urls")),
    path("", include("thousand.web.urls")),
]

handler400 = "thousand.handlers.bad_request"
handler403 = "thousand.handlers.forbidden"
handler404 = "thousand.handlers.not_found"
handler500 = "thousand.handlers.server_error"
