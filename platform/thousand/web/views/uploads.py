"""Submitting a bot: the forms, and the page on which an author watches the validation."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from arena.languages import LANGUAGES
from arena.orders import Limits
from thousand.accounts.selectors import may_read_private
from thousand.bots import selectors as bots
from thousand.bots import services
from thousand.bots.quotas import quotas
from thousand.bots.validation import OPEN_STATES
from thousand.core.errors import ApplicationError, NotAllowedError
from thousand.pipeline.selectors import arena_offer, lacks_tools
from thousand.web.forms import UploadBotForm, UploadVersionForm
from thousand.web.progress import progress_steps, seconds_to_next_look
from thousand.web.requests import signed_in, viewer_of, wants_part


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def upload_bot_page(request: HttpRequest) -> HttpResponse:
    """Take a new bot and its first version."""
    user = signed_in(request)
    offer = arena_offer()
    form = UploadBotForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        filename, data = form.upload()
        try:
            version = services.submit_bot(
                owner=user,
                name=form.cleaned_data["name"],
                filename=filename,
                data=data,
                notes=form.cleaned_data["notes"],
                languages=offer.names,
            )
        except ApplicationError as error:
            form.refuse(error)
        else:
            return redirect("web:version", public_id=version.public_id)
    context = {
        "form": form,
        "limits": Limits(),
        "quotas": quotas(),
        "offer": offer,
        "own_bots": bots.bots_of(user),
    }
    return render(request, "web/upload.html", context, status=400 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def upload_version_page(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take a new version of one of the author's own bots."""
    user = signed_in(request)
    bot = bots.bot_by_id(public_id)
    if not may_read_private(user, bot.owner_id):
        raise NotAllowedError(
            _("%(bot)s belongs to somebody else. Only its owner may upload a version of it.")
            % {"bot": bot.name}
        )
    offer = arena_offer()
    form = UploadVersionForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        filename, data = form.upload()
        try:
            version = services.upload_bot_version(
                owner=user,
                bot=bot,
                filename=filename,
                data=data,
                notes=form.cleaned_data["notes"],
                hold=form.cleaned_data["hold"],
                languages=offer.names,
            )
        except ApplicationError as error:
            form.refuse(error)
        else:
            return redirect("web:version", public_id=version.public_id)
    context = {"form": form, "limits": Limits(), "quotas": quotas(), "offer": offer, "bot": bot}
    return render(request, "web/upload.html", context, status=400 if form.errors else 200)


@require_safe
def version_page(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a version and the steps of its validation; htmx asks for the steps alone."""
    version = bots.version_detail(public_id, viewer_of(request))
    context = {
        "version": version,
        "steps": progress_steps(version),
        "lacks_tools": version.state in OPEN_STATES and lacks_tools(version.language),
        "language": LANGUAGES[version.language].title,
        "poll_seconds": seconds_to_next_look(version),
    }
    template = "web/parts/version_steps.html" if wants_part(request) else "web/version.html"
    return render(request, template, context)
