"""The author's own page: API tokens and erasure; and the one-time page of the first organiser."""

from django.contrib import messages
from django.contrib.auth import login, logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from thousand.accounts import selectors as accounts
from thousand.accounts import services
from thousand.accounts.models import User
from thousand.bots import selectors as bots
from thousand.core.errors import ApplicationError, NotFoundError
from thousand.web.forms import EraseForm, OrganiserForm, TokenForm
from thousand.web.requests import post_only, signed_in


@require_safe
@login_required
def account_page(request: HttpRequest) -> HttpResponse:
    return _account(request, signed_in(request), TokenForm())


@never_cache
@post_only("web:account")
@login_required
def create_token(request: HttpRequest) -> HttpResponse:
    """Create a token and show it, this once, in the answer itself: it is stored nowhere."""
    user = signed_in(request)
    form = TokenForm(request.POST)
    if form.is_valid():
        try:
            _row, token = services.create_api_token(user=user, name=form.cleaned_data["name"])
        except ApplicationError as error:
            form.refuse(error)
        else:
            return _account(request, user, TokenForm(), new_token=token)
    return _account(request, user, form)


@post_only("web:account")
@login_required
def revoke_token(request: HttpRequest, prefix: str) -> HttpResponse:
    services.revoke_api_token(user=signed_in(request), prefix=prefix)
    messages.success(request, _("The token is revoked: the API refuses it from now on."))
    return redirect("web:account")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def erase_page(request: HttpRequest) -> HttpResponse:
    """Say what an erasure removes and what stays; erase when the user name is typed."""
    user = signed_in(request)
    form = EraseForm(request.POST or None, expected=user.username)
    if request.method == "POST" and form.is_valid():
        services.erase_account(user=user)
        logout(request)
        messages.success(request, _("Your account, your bots' files and their logs are erased."))
        return redirect("web:home")
    context = {"form": form, "own_bots": bots.bots_of(user)}
    return render(request, "web/erase.html", context, status=400 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def organiser_page(request: HttpRequest, token: str) -> HttpResponse:
    """Create the organiser's account from the one-time link that `manage.py up` prints."""
    if not services.organiser_link_works(token):
        raise NotFoundError(
            _("This link was used or has expired. Start the arena again for a new one: it prints it.")
        )
    form = OrganiserForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            user = services.redeem_organiser_link(
                token=token, username=form.cleaned_data["username"], password=form.cleaned_data["password"]
            )
        except ApplicationError as error:
            form.refuse(error)
        else:
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            messages.success(
                request, _("You are the organiser of this arena. The link does not work a second time.")
            )
            return redirect("web:home")
    return render(request, "web/organiser.html", {"form": form}, status=400 if form.errors else 200)


def _account(request: HttpRequest, user: User, form: TokenForm, *, new_token: str = "") -> HttpResponse:
    context = {
        "form": form,
        "new_token": new_token,
        "tokens": accounts.api_tokens(user),
        "own_bots": bots.bots_of(user),
    }
    return render(request, "web/account.html", context, status=400 if form.errors else 200)
