# What a throw-away forum needs beside the settings for development.
DEBUG = True
ALLOWED_HOSTS = ["127.0.0.1"]
SECRET_KEY = "thrown away with the forum"
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
ST_RATELIMIT_ENABLE = False
INSTALLED_APPS = [app for app in INSTALLED_APPS if app != "debug_toolbar"]
MIDDLEWARE = [each for each in MIDDLEWARE if "debug_toolbar" not in each]
