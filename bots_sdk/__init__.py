"""What a bot author needs: the wire messages, the `Bot` base class, the stdin/stdout loop, house bots.

Depends on nothing but the standard library, and imports little of it: a bot starts in milliseconds.
"""

from bots_sdk.bot import Bot
from bots_sdk.loop import run
from bots_sdk.messages import PROTOCOL_VERSION, Act, End, Hello, Limits, Message, Rules, TimeLeft, View

__all__ = [
    "PROTOCOL_VERSION",
    "Act",
    "Bot",
    "End",
    "Hello",
    "Limits",
    "Message",
    "Rules",
    "TimeLeft",
    "View",
    "run",
]
