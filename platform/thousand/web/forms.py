"""The site's own forms. Services hold the rules; a form only shapes input and shows their errors."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from thousand.bots.quotas import quotas
from thousand.core.errors import ApplicationError
from thousand.web.templatetags.arena import file_size


class ServiceForm(forms.Form):
    """A form whose service may refuse: the error lands at the field it is about."""

    def refuse(self, error: ApplicationError) -> None:
        """Show a service's error at its field, or above the form where it names none of ours."""
        self.add_error(error.field if error.field in self.fields else None, error.message)


class UploadVersionForm(ServiceForm):
    """A file for a bot that exists."""

    file = forms.FileField(
        label=_("File"),
        help_text=_(
            "One source file (.py, .js, .c, …) or program, or a .zip or .tar.gz with bot.toml or a file "
            "such as bot.py or bot.c at its top."
        ),
        error_messages={
            "required": _("Choose the file of your bot."),
            "empty": _("This file is empty. Choose the file of your bot."),
        },
    )
    notes = forms.CharField(
        label=_("Notes"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("What changed; only you and organisers read it."),
    )

    hold = forms.BooleanField(
        label=_("Hold it back: the version that plays now goes on playing"),
        required=False,
        help_text=_("To see in an A/B test first whether this one is stronger."),
    )

    def upload(self) -> tuple[str, bytes]:
        """Return the name and bytes of the uploaded file."""
        file = self.cleaned_data["file"]
        return str(file.name or ""), bytes(file.read())

    def clean_file(self) -> Any:
        """Refuse a file over the limit before it is read into memory."""
        file = self.cleaned_data["file"]
        limit = quotas().artifact_bytes
        if file.size > limit:
            raise forms.ValidationError(
                _("The file is %(size)s, the limit is %(limit)s. Nothing was stored."),
                params={"size": file_size(file.size), "limit": file_size(limit)},
            )
        return file


class UploadBotForm(UploadVersionForm):
    """A new bot with its first version."""

    name = forms.CharField(
        label=_("Name of the bot"),
        max_length=40,
        help_text=_("Up to 40 characters; everybody sees it. It cannot be changed later."),
        error_messages={"required": _("Give your bot a name.")},
    )
    hold = None  # type: ignore[assignment]  # a first version has nothing to wait for
    field_order = ["name", "file", "notes"]


class TokenForm(ServiceForm):
    """A name for a new API token."""

    name = forms.CharField(
        label=_("Name of the token"),
        max_length=60,
        help_text=_("Where you will use it, for example “laptop”."),
        error_messages={"required": _("Give the token a name, so that you can tell your tokens apart.")},
    )


class OrganiserForm(ServiceForm):
    """The first organiser's account."""

    username = forms.CharField(label=_("User name"), max_length=150)
    password = forms.CharField(
        label=_("Password"), widget=forms.PasswordInput(attrs={"autocomplete": "new-password"})
    )
    password_again = forms.CharField(
        label=_("Password again"), widget=forms.PasswordInput(attrs={"autocomplete": "new-password"})
    )

    def clean(self) -> dict[str, Any]:
        """Refuse two different passwords."""
        cleaned = super().clean() or {}
        if "password" in cleaned and cleaned.get("password_again") not in (None, cleaned["password"]):
            self.add_error("password_again", _("The two passwords differ. Type the same one twice."))
        return cleaned


class EraseForm(forms.Form):
    """Confirmation of an erasure: the user name, typed."""

    username = forms.CharField(
        label=_("Your user name"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, *args: Any, expected: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.expected = expected

    def clean_username(self) -> str:
        """Accept the user's own name only."""
        typed: str = self.cleaned_data["username"]
        if typed != self.expected:
            raise forms.ValidationError(_("This is not your user name. Nothing was erased."))
        return typed
