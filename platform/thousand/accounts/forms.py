"""Sign-up as allauth does it, told in this site's own limits."""

from typing import Any

from allauth.account.forms import SignupForm
from django.utils.translation import gettext as _

from thousand.accounts.names import USERNAME_MAX, USERNAME_MIN


class AccountForm(SignupForm):  # type: ignore[misc]  # allauth ships no types
    """A user name, an address if you like, and a password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name = self.fields["username"]
        # The adapter measures a name once it is in its one Unicode form, and has the words for it.
        name.max_length = None
        name.validators = [each for each in name.validators if not hasattr(each, "limit_value")]
        name.widget.attrs |= {"minlength": USERNAME_MIN, "maxlength": USERNAME_MAX}
        name.help_text = _("{least} to {most} characters: letters of one alphabet, digits, . - _").format(
            least=USERNAME_MIN, most=USERNAME_MAX
        )
