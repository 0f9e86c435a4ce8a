"""Where allauth's sign-up follows this site's rules for names."""

from allauth.account.adapter import DefaultAccountAdapter
from django.core.exceptions import ValidationError

from thousand.accounts.names import check_username
from thousand.accounts.services import refuse_taken_username
from thousand.core.errors import ApplicationError


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """Sign-up by user name and password; the name follows `accounts.names`."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the name in its one Unicode form; `shallow` leaves out the look into the database."""
        try:
            username = check_username(username)
            if not shallow:
                refuse_taken_username(username)
        except ApplicationError as error:
            raise ValidationError(error.message, code=error.code) from error
        return username
