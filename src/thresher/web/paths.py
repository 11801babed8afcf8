"""Addresses within the application: of routes by their name, with the base path in front."""

from collections.abc import Iterable
from urllib.parse import urlencode

from starlette.routing import Route

from thresher.errors import UsageError


class Paths:
    """Makes addresses of routes by name; what is no part of the path becomes the query."""

    def __init__(self, routes: Iterable[Route], base_path: str) -> None:
        self._base = base_path
        self._routes = {route.name: route for route in routes}

    def of(self, name: str, /, **params: object) -> str:
        """Return the address of a route; parameters that are None are left out. Raise UsageError for no such name."""
        route = self._routes.get(name)
        if route is None:
            raise UsageError(f"there is no page {name!r}")
        inside = {key: str(params[key]) for key in route.param_convertors}
        query = [(key, value) for key, value in params.items() if key not in inside and value is not None]
        path = self._base + str(route.url_path_for(name, **inside))
        return f"{path}?{urlencode(query, doseq=True)}" if query else path

    def has(self, name: str) -> bool:
        """Say whether there is a page of this name."""
        return name in self._routes

    def at(self, path: str) -> str:
        """Return the address of a path of this application that has no name."""
        return self._base + path
