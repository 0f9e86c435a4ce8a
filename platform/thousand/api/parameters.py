"""Query parameters: one that an address does not take is refused, for an ignored one looks obeyed.

What an address takes is what its description names, so that nothing is taken which is not described.
"""

from collections.abc import Callable
from functools import cache, wraps
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.urls import URLPattern
from django.utils.translation import gettext as _
from drf_spectacular.generators import SchemaGenerator

from engine.errors import did_you_mean, near_words, shown
from thousand.api.errors import plain_problem, problem

Names = tuple[str, ...]


def knows_its_parameters(route: URLPattern) -> URLPattern:
    """Return a route of the description that refuses parameters which its operations do not name."""

    @cache
    def described() -> dict[str, Names]:
        return _described(route)

    return _refusing(route, lambda method: described().get(method))


def takes_parameters(route: URLPattern, names: Names) -> URLPattern:
    """Return a route that stands in no description and refuses every other parameter than these."""
    return _refusing(route, lambda _method: names)


def _refusing(route: URLPattern, names_of: Callable[[str], Names | None]) -> URLPattern:
    view: Callable[..., HttpResponseBase] = route.callback

    @wraps(view)
    def refusing(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.GET:
            names = names_of("GET" if request.method == "HEAD" else str(request.method))
            unknown = None if names is None else next((one for one in request.GET if one not in names), None)
            if names is not None and unknown is not None:
                return plain_problem(_unknown(unknown, request.GET[unknown], names))
        return view(request, *args, **kwargs)

    return URLPattern(route.pattern, refusing, route.default_args, route.name)


def _described(route: URLPattern) -> dict[str, Names]:
    """Return the names of an address's query parameters by method; a method that it lacks is missing."""
    schema = SchemaGenerator(patterns=[route]).get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return {
        method.upper(): tuple(row["name"] for row in operation.get("parameters", ()) if row["in"] == "query")
        for operations in schema["paths"].values()
        for method, operation in operations.items()
    }


def _unknown(name: str, value: str, names: Names) -> dict[str, Any]:
    near = did_you_mean(near_words(name, names))
    text = (
        _("This address takes no parameter {name};{near} it takes {names}.")
        if names
        else _("This address takes no parameter {name}, and no other one.")
    ).format(name=shown(name), near=near, names=", ".join(names))
    expected = ", ".join(names) or None
    return problem(HTTPStatus.BAD_REQUEST, "invalid", text, field=name, value=value, expected=expected)
