"""Addresses: the API under /api/, the admin under /admin/, pages everywhere else."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
]
