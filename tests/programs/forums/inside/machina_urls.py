"""The addresses of the site: machina's own."""

from django.urls import include, path

urlpatterns = [path("", include("machina.urls"))]
