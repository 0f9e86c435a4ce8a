"""What a request says of the copies it has and the encodings it takes (RFC 9110)."""

from django.http import HttpRequest


def names_tag(request: HttpRequest, tag: str) -> bool:
    """Return whether `If-None-Match` names the tag, given without quotes (§13.1.2, weak comparison)."""
    tags = request.headers.get("If-None-Match", "").split(",")
    return any(given.strip().removeprefix("W/") == f'"{tag}"' for given in tags)


def accepts_gzip(header: str) -> bool:
    """Return whether `Accept-Encoding` allows gzip (§12.5.3): named, or by `*`, and not with q=0."""
    weights: dict[str, float] = {}
    for part in header.lower().split(","):
        coding, _mark, parameter = part.strip().partition(";")
        try:
            weights[coding.strip()] = float(parameter.strip().removeprefix("q=") or 1)
        except ValueError:
            weights[coding.strip()] = 0.0
    return weights.get("gzip", weights.get("*", 0.0)) > 0
