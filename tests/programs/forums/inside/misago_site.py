"""A Misago forum in a database of its own."""

import os
from urllib.parse import urlsplit

from devproject.settings import *  # noqa: F403

_place = urlsplit(os.environ["SITE_DATABASE"])
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": _place.path[1:],
        "USER": _place.username,
        "HOST": _place.hostname,
        "PORT": _place.port,
    }
}
SECRET_KEY = "thrown away with the forum"
ALLOWED_HOSTS = ["127.0.0.1"]
INSTALLED_APPS = [app for app in INSTALLED_APPS if app != "debug_toolbar"]  # noqa: F405
MIDDLEWARE = [each for each in MIDDLEWARE if "debug_toolbar" not in each]  # noqa: F405
MEDIA_ROOT = os.path.join(os.getcwd(), "media")
MISAGO_AVATARS_SIZES = [100]
CELERY_TASK_ALWAYS_EAGER = True
CELERY_BROKER_URL = "memory://"
