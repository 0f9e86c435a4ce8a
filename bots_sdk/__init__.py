"""What a bot author installs: wire messages, the `Bot` base class, the stdin/stdout loop, house bots."""
