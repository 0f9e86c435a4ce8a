"""Why Django itself refused a request, in words that help."""

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.utils.translation import gettext as _

from arena.sizes import size_text


def refusal_text(exception: Exception | None) -> str:
    """Return a sentence for pages and API alike; empty where there is nothing to add."""
    if isinstance(exception, RequestDataTooBig):
        return _("The text of this request is longer than {most}, which is the limit.").format(
            most=size_text(settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0)
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
