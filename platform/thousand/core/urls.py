from django.urls import path

from thousand.core import views

app_name = "core"
urlpatterns = [
    path("delivery/<str:token>", views.delivery, name="delivery"),
    path("<str:token>", views.artifact, name="artifact"),
]
