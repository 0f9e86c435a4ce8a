"""Annulments: read by everybody, made and lifted by organisers."""

from http import HTTPStatus
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from thousand.accounts.models import User
from thousand.api.fields import BodySerializer, PublicIdField, id_in_path
from thousand.api.permissions import OrganisersWrite, caller
from thousand.api.throttling import OrganiseThrottle
from thousand.bots.selectors import version_by_id
from thousand.core.errors import NotFoundError
from thousand.matches.models import Block
from thousand.ratings.annulment import LONGEST_REASON, annul_block, annul_owner, annul_version, lift_annulment
from thousand.ratings.models import Annulment, AnnulmentTarget
from thousand.ratings.selectors import annulment_by_id, annulments


class AnnulmentSerializer(serializers.Serializer[Any]):
    """An organiser's decision that blocks do not count. Who decided is not public."""

    id = PublicIdField(source="public_id")
    target = serializers.ChoiceField(choices=AnnulmentTarget.choices)
    block_id = PublicIdField(source="block.public_id", default=None, allow_null=True)
    version_id = PublicIdField(source="version.public_id", default=None, allow_null=True)
    owner_id = PublicIdField(
        source="owner.public_id", default=None, allow_null=True, help_text="Null once it is erased."
    )
    reason = serializers.CharField()
    annulled_at = serializers.DateTimeField()
    lifted_at = serializers.DateTimeField(allow_null=True, help_text="Null while it stands.")
    lift_reason = serializers.CharField(allow_blank=True)
    blocks = serializers.IntegerField(help_text="Rated blocks that it covers.")


class NewAnnulmentSerializer(BodySerializer):
    target = serializers.ChoiceField(choices=AnnulmentTarget.choices)
    id = PublicIdField(help_text="Id of the block, the version, or the owner.")
    reason = serializers.CharField(max_length=LONGEST_REASON, help_text="Public.")


class LiftSerializer(BodySerializer):
    reason = serializers.CharField(
        max_length=LONGEST_REASON, required=False, default="", allow_blank=True, help_text="Public."
    )


class AnnulmentsView(GenericAPIView[Annulment]):
    queryset = annulments()
    serializer_class = AnnulmentSerializer
    permission_classes = [IsAuthenticatedOrReadOnly, OrganisersWrite]
    filter_backends = []

    def get_throttles(self) -> list[BaseThrottle]:
        return [*super().get_throttles(), OrganiseThrottle()]

    @extend_schema(
        operation_id="list_annulments",
        summary="Annulments, newest first, lifted ones too",
        tags=["annulments"],
        responses=AnnulmentSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        page = self.paginate_queryset(annulments()) or []
        return self.get_paginated_response(AnnulmentSerializer(page, many=True).data)

    @extend_schema(
        operation_id="annul",
        summary="Annul a block, a version or an owner",
        description=(
            "For organisers. What is annulled does not count, and ratings are recomputed exactly. "
            "A version's or owner's blocks that end later do not count either."
        ),
        tags=["annulments"],
        request=NewAnnulmentSerializer,
        responses={201: AnnulmentSerializer},
    )
    def post(self, request: Request) -> Response:
        data = NewAnnulmentSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        made = _annul(by=caller(request), **data.validated_data)
        where = reverse("api:annulment", [made.public_id], request=request)
        return Response(
            AnnulmentSerializer(annulment_by_id(made.public_id)).data,
            HTTPStatus.CREATED,
            headers={"Location": where},
        )


def _annul(*, target: str, id: str, reason: str, by: User) -> Annulment:  # noqa: A002 - the API's word
    if target == AnnulmentTarget.VERSION:
        return annul_version(version=version_by_id(id), reason=reason, by=by)
    if target == AnnulmentTarget.OWNER:
        owner = User.objects.filter(public_id=id).first()
        if owner is None:
            raise NotFoundError(_("There is no account {id}.").format(id=id), field="id")
        return annul_owner(owner=owner, reason=reason, by=by)
    block = Block.objects.filter(public_id=id).first()
    if block is None:
        raise NotFoundError(_("There is no block {block}.").format(block=id), field="id")
    return annul_block(block=block, reason=reason, by=by)


class AnnulmentView(APIView):
    @extend_schema(
        operation_id="get_annulment",
        summary="An annulment",
        tags=["annulments"],
        parameters=[id_in_path("annulment")],
        responses=AnnulmentSerializer,
    )
    def get(self, request: Request, public_id: str) -> Response:
        return Response(AnnulmentSerializer(annulment_by_id(public_id)).data)


class LiftView(APIView):
    permission_classes = [IsAuthenticatedOrReadOnly, OrganisersWrite]

    def get_throttles(self) -> list[BaseThrottle]:
        return [*super().get_throttles(), OrganiseThrottle()]

    @extend_schema(
        operation_id="lift_annulment",
        summary="Lift an annulment",
        description="For organisers. What it covered counts again, and every number is what it was before.",
        tags=["annulments"],
        parameters=[id_in_path("annulment")],
        request=LiftSerializer,
        responses=AnnulmentSerializer,
    )
    def post(self, request: Request, public_id: str) -> Response:
        data = LiftSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        lift_annulment(annulment=annulment_by_id(public_id), by=caller(request), **data.validated_data)
        return Response(AnnulmentSerializer(annulment_by_id(public_id)).data)
