"""Why Django itself refused a request, in words that help."""

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.utils.translation import gettext as _

_MIB = 1024 * 1024


def refusal_text(exception: Exception | None) -> str:
    """Return a sentence for pages and API alike; empty where there is nothing to add."""
    if isinstance(exception, RequestDataTooBig):
        return _("The text of this request is longer than {most:.1f} MiB, which is the limit.").format(
            most=(settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0) / _MIB
        )
    if isinstance(exception, TooManyFieldsSent):
        return _("This request has more than {most} fields, which is the limit.").format(
            most=settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
        )
    if isinstance(exception, TooManyFilesSent):
        return _("This request has more than {most} files, which is the limit.").format(
            most=settings.DATA_UPLOAD_MAX_NUMBER_FILES
        )
    return ""
