"""Runs inside a Django site: serves it, and writes a line for every request."""

import sys
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.wsgi import get_wsgi_application


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Logged(WSGIRequestHandler):
    def log_message(self, format, *args):
        print(self.command, self.path, flush=True)


host, port = sys.argv[1].split(":")
make_server(host, int(port), StaticFilesHandler(get_wsgi_application()), Server, Logged).serve_forever()
