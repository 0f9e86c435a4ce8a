"""Path converters: what is no id or digest is no address of ours and never meets the database."""

from django.urls import register_converter
from django.urls.converters import StringConverter

from thousand.core.ids import PUBLIC_ID_LENGTH


class PublicIdConverter(StringConverter):
    """`<public_id:public_id>`: the id of a row that has a page."""

    regex = f"[0-9a-z]{{{PUBLIC_ID_LENGTH}}}"


class DigestConverter(StringConverter):
    """`<sha256:digest>`: a SHA-256 in hex."""

    regex = "[0-9a-f]{64}"


register_converter(PublicIdConverter, "public_id")
register_converter(DigestConverter, "sha256")
