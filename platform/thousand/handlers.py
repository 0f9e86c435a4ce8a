"""Error answers outside any view: problems under /api/, pages everywhere else."""

from django.http import HttpRequest, HttpResponse

from thousand.api import errors as api_errors
from thousand.web.views import errors as web_errors


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    answer = api_errors.bad_request if _is_api(request) else web_errors.bad_request
    return answer(request, exception)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    answer = api_errors.forbidden if _is_api(request) else web_errors.forbidden
    return answer(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    answer = api_errors.not_found if _is_api(request) else web_errors.not_found
    return answer(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    answer = api_errors.server_error if _is_api(request) else web_errors.server_error
    return answer(request)


def _is_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")
