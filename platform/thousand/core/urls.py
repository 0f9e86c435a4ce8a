from django.urls import path

from thousand.core import views

app_name = "core"
urlpatterns = [path("<str:token>", views.artifact, name="artifact")]
