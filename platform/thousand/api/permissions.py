"""Who may call what, beyond "everybody reads, accounts write"."""

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from thousand.accounts.models import User
from thousand.accounts.selectors import is_organiser
from thousand.core.errors import NotAllowedError

if TYPE_CHECKING:
    from rest_framework.views import APIView  # which imports this module


class OrganisersWrite(BasePermission):
    """Of those with an account, organisers only write."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """Raise an error that names the missing role."""
        if request.method in SAFE_METHODS or is_organiser(request.user):
            return True
        raise NotAllowedError(_("Only organisers may do this."))


def caller(request: Request) -> User:
    """Return the account that calls. Raises NotAuthenticated for nobody."""
    if not isinstance(request.user, User):
        raise NotAuthenticated
    return request.user
