"""What every command that reads or writes the database asks first: are its tables there?"""

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext as _
from django.utils.translation import ngettext


class MigratedCommand(BaseCommand):
    """A command that needs every table; it refuses a database that was never migrated, or is behind."""

    requires_migrations_checks = True

    def check_migrations(self) -> None:
        """Raise CommandError, which names the command that makes it right; Django's own only warns."""
        require_migrations()


def require_migrations() -> None:
    """Raise CommandError for a database that lacks migrations or does not answer."""
    connection = connections[DEFAULT_DB_ALIAS]
    name = connection.settings_dict["NAME"]
    try:
        executor = MigrationExecutor(connection)
        missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    except OperationalError as error:
        why = " ".join(str(error).split())
        text = _("The database {name} cannot be opened: {why}").format(name=name, why=why)
        raise CommandError(text) from error
    if missing:
        data = f" --data {settings.THOUSAND_DATA}" if connection.vendor == "sqlite" else ""
        text = ngettext(
            "The database {name} lacks {count} migration. Run `manage.py migrate{data}`, "
            "then `manage.py setup{data}`.",
            "The database {name} lacks {count} migrations. Run `manage.py migrate{data}`, "
            "then `manage.py setup{data}`.",
            missing,
        )
        raise CommandError(text.format(name=name, count=missing, data=data))
