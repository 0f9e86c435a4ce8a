"""Model fields that compare names: filled at every save from another field, never edited."""

from typing import TYPE_CHECKING, Any

from django.db import models

from thousand.accounts.names import fold, look_alike

if TYPE_CHECKING:
    TextField = models.CharField[str, str]  # generic to the type checker only
else:
    TextField = models.CharField


class NameKeyField(TextField):
    """Holds `key_of(value of source)`; unique here means that no two rows have names with one key."""

    def __init__(self, *args: Any, source: str = "username", **kwargs: Any) -> None:
        self.source = source
        kwargs["editable"] = False
        super().__init__(*args, **kwargs)

    def key_of(self, name: str) -> str:
        raise NotImplementedError

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        return name, path, args, {**kwargs, "source": self.source}

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        value = self.key_of(getattr(model_instance, self.source))
        setattr(model_instance, self.attname, value)
        return value


class FoldedNameField(NameKeyField):
    """Equal for names that differ in case only, in every alphabet and on every database."""

    def key_of(self, name: str) -> str:
        return fold(name)


class LookAlikeField(NameKeyField):
    """Equal for names that read alike."""

    def key_of(self, name: str) -> str:
        return look_alike(name)
