"""The API explained on one page, made from its own description; nothing is loaded from elsewhere."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from drf_spectacular.generators import SchemaGenerator

from thousand.api.errors import CODES
from thousand.api.pagination import MAX_LIMIT

_REF = "#/components/schemas/"


@dataclass(frozen=True, slots=True)
class Member:
    """One parameter or one member of an object."""

    name: str
    kind: str
    """In words: "integer or null", "list of Seat"."""
    shape: str
    """Name of the object or list element that `kind` mentions; "" for plain values."""
    required: bool
    text: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that can be called."""

    name: str
    method: str
    path: str
    summary: str
    text: str
    parameters: tuple[Member, ...]
    body: tuple[Member, ...]
    body_type: str
    answer: Member | None
    needs_token: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """An object of the API with its members."""

    name: str
    text: str
    members: tuple[Member, ...]


def documentation(request: HttpRequest) -> HttpResponse:
    """Return the page."""
    schema = description()
    context = {
        "groups": _groups(schema),
        "shapes": _shapes(schema["components"]["schemas"]),
        "codes": [(code, status.value, _marked(text)) for code, (status, text) in CODES.items()],
        "most_rows": MAX_LIMIT,
        "base": request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "api/documentation.html", context)


@cache
def description() -> dict[str, Any]:
    """Return the OpenAPI document; it changes with the code only."""
    schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return schema


def _groups(schema: Mapping[str, Any]) -> dict[str, list[Operation]]:
    groups: dict[str, list[Operation]] = {}
    shapes = schema["components"]["schemas"]
    for path, methods in schema["paths"].items():
        for method, described in methods.items():
            operation = _operation(path, method, described, shapes)
            groups.setdefault(described["tags"][0], []).append(operation)
    return groups


def _operation(path: str, method: str, described: Mapping[str, Any], shapes: Mapping[str, Any]) -> Operation:
    body_type, body = "", {}
    for content_type, content in described.get("requestBody", {}).get("content", {}).items():
        body_type, body = content_type, shapes[_kind(content["schema"])[1]]
    answer: dict[str, Any] = next(
        (answer for status, answer in described["responses"].items() if status.startswith("2")), {}
    )
    returned = answer.get("content", {}).get("application/json", {}).get("schema")
    return Operation(
        name=described["operationId"],
        method=method.upper(),
        path=path,
        summary=described.get("summary", ""),
        text=_marked(described.get("description", "")),
        parameters=tuple(
            _member(row["name"], row["schema"], row.get("required", False), row.get("description", ""))
            for row in described.get("parameters", ())
        ),
        body=tuple(_members(body)),
        body_type=body_type,
        answer=_member("", returned, True, answer.get("description", "")) if returned else None,
        needs_token=method != "get",
    )


def _shapes(schemas: Mapping[str, Any]) -> list[Shape]:
    return [
        Shape(name, _marked(described.get("description", "")), tuple(_members(described)))
        for name, described in schemas.items()
        if described.get("type") == "object" and not name.endswith("Request")
    ]


def _members(described: Mapping[str, Any]) -> Iterator[Member]:
    required = described.get("required", ())
    for name, schema in described.get("properties", {}).items():
        yield _member(name, schema, name in required, schema.get("description", ""))


def _member(name: str, schema: Mapping[str, Any], required: bool, text: str) -> Member:
    kind, shape = _kind(schema)
    return Member(name, kind, shape, required, _marked(text))


def _kind(schema: Mapping[str, Any]) -> tuple[str, str]:
    """Return a type in words, and the name of the object it mentions."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_REF)
        target = description()["components"]["schemas"][name]
        return _kind(target) if "enum" in target else (name, name)
    alternatives = [
        part for part in schema.get("allOf", schema.get("oneOf", ())) if "NullEnum" not in str(part)
    ]
    if alternatives:
        kind, shape = _kind(alternatives[0])
    elif "enum" in schema:
        kind, shape = ", ".join(str(value) for value in schema["enum"]), ""
    elif schema.get("type") == "array":
        inner, shape = _kind(schema["items"])
        kind = f"list of {inner}"
    else:
        kind, shape = schema.get("format") or schema.get("type", "any value"), ""
    return (f"{kind} or null" if schema.get("nullable") else kind), shape


def _marked(text: str) -> SafeString:
    """Return a text as HTML, what stands in backticks as code."""
    parts = text.split("`")
    shown = [format_html("<code>{}</code>", part) if at % 2 else part for at, part in enumerate(parts)]
    return format_html_join("", "{}", ((part,) for part in shown))
