"""The line to our JVM, made such that Ctrl-C in the middle of a call leaves the others usable.

Py4J ends an interrupted call by asking the JVM, over every connection that is idle, to shut the interrupted one down,
and closes them all. The JVM does so some time later, and may then end a connection that was opened meanwhile: the next
call fails with an empty answer, or waits for ever. Ours closes the one connection, and no other.
"""

from __future__ import annotations

from typing import Any

from py4j.clientserver import ClientServerConnection, JavaClient


class _Held(BaseException):
    """Carries an interrupt past Py4J, which would act on it."""

    def __init__(self, interrupt: KeyboardInterrupt) -> None:
        super().__init__()
        self.interrupt = interrupt


class _Connection(ClientServerConnection):  # type: ignore[misc]
    """One connection of one thread; an interrupted one is closed, for its answer may still come."""

    def send_command(self, command: str) -> Any:
        try:
            return super().send_command(command)
        except KeyboardInterrupt as interrupt:
            self.close()
            raise _Held(interrupt) from None


class _Client(JavaClient):  # type: ignore[misc]
    """Py4J's client on our connections."""

    def send_command(self, command: str, retry: bool = True, binary: bool = False) -> Any:
        try:
            return super().send_command(command, retry, binary)
        except _Held as held:
            raise held.interrupt from None

    def _create_new_connection(self) -> _Connection:
        connection = _Connection(self.java_parameters, self.python_parameters, self.gateway_property, self)
        connection.connect_to_java_server()
        self.set_thread_connection(connection)
        return connection


def steady(gateway: Any) -> None:
    """Puts the gateway of a JVM that has just started on our connections; it must not have been used yet by others.

    Leaves a gateway without a connection for each thread (``PYSPARK_PIN_THREAD=false``) as it is.
    """
    client = gateway._gateway_client
    if type(client) is JavaClient:
        client.__class__ = _Client
