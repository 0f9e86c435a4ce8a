"""Clients that send a token."""

from django.test import Client

from thousand.accounts.models import User
from thousand.accounts.services import create_api_token


def client_of(user: User) -> Client:
    """A client that sends the user's token."""
    _row, token = create_api_token(user=user, name="test")
    return Client(headers={"Authorization": f"Bearer {token}"})
