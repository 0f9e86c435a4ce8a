from django.db import models

from thousand.core.ids import PUBLIC_ID_LENGTH, new_public_id


class PublicModel(models.Model):
    """A row that has a page or an API address of its own."""

    public_id = models.CharField(
        max_length=PUBLIC_ID_LENGTH, unique=True, editable=False, default=new_public_id
    )

    class Meta:
        abstract = True
