"""An OpenAI-compatible chat server on 127.0.0.1: fixed latency, replies made from the request, faults by a schedule.

    python tests/loopback.py PORT LATENCY_S        a server of its own process (for timings); ends with stdin

Tests use it as a context manager; all that it has seen is in `seen`, in the order of arrival. HTTP is spoken by hand,
as a server that is slower than the client would be what a timing measures.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from memtrial.text import canonical, sha256

Body = dict[str, Any]
MODEL = "loopback-2026"


class Reply(NamedTuple):
    """What is sent back: status, JSON body (text is sent as it is), headers, seconds of waiting beside the latency.

    `usable`: whether a client is meant to take it as the model's answer.
    """

    status: int
    body: Any
    headers: Mapping[str, str] = MappingProxyType({})
    wait_s: float = 0.0
    usable: bool = False


class Seen(NamedTuple):
    """A request that arrived: its number (from 1), the sha256 of the request artifact, when (loop time, seconds)."""

    number: int
    sha256: str
    at: float


Fault = Callable[[int, Body], Reply | None]


def said(content: str | None, finish_reason: str = "stop", model: str = MODEL, **message: Any) -> Reply:
    """A chat completion; `message` holds further fields of the message (reasoning_content, tool_calls)."""
    body = {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [
            {
                "index": 0,
                "finish_reason": finish_reason,
                "message": {"role": "assistant", "content": content, **message},
            }
        ],
        "usage": {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9},
    }
    return Reply(200, body, usable=True)


def refused(status: int, message: str, code: str | None = None, **headers: str) -> Reply:
    """An error in the provider's form; `retry_after` among `headers` is sent as `retry-after`."""
    error = {"message": message, "type": "error", "param": None, "code": code}
    return Reply(status, {"error": error}, {k.replace("_", "-"): v for k, v in headers.items()})


def prompt(body: Body) -> str:
    """The text of a request's last message."""
    return str(body["messages"][-1]["content"])


def echo(body: Body) -> Reply:
    """The default reply: made from the request, the same for equal requests."""
    return said(f"Answer: {sha256(prompt(body))[:12]}")


def in_turn(*schedule: tuple[int, Reply]) -> Fault:
    """Faults by number of the request: with (7, reply) every 7th gets that reply; the first that fits counts."""

    def fault(number: int, _: Body) -> Reply | None:
        return next((reply for every, reply in schedule if number % every == 0), None)

    return fault


def always(text: str, reply: Reply) -> Fault:
    """A fault of every request whose prompt holds `text`."""

    def fault(_: int, body: Body) -> Reply | None:
        return reply if text in prompt(body) else None

    return fault


class Loopback:
    """The server; the first of `faults` that gives a reply decides, else `reply` does."""

    def __init__(
        self,
        reply: Callable[[Body], Reply] = echo,
        faults: Iterable[Fault] = (),
        latency_s: float = 0.0,
        port: int = 0,
        keep: bool = True,
    ) -> None:
        """`keep`: hold the bodies of requests in memory."""
        self.reply, self.faults, self.latency_s = reply, tuple(faults), latency_s
        self.port, self.keep = port, keep
        self.seen: list[Seen] = []
        self.bodies: list[Body] = []
        self.keys: set[str] = set()
        self.answered: Counter[str] = Counter()
        self.active = self.most_active = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._ready = threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def asked(self) -> Counter[str]:
        """How often each request (sha256 of its artifact) has arrived."""
        return Counter(s.sha256 for s in self.seen)

    def __enter__(self) -> Loopback:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(
            self._loop.create_server(lambda: _Connection(self), "127.0.0.1", self.port)
        )
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    def take(self, body: Body, key: str) -> tuple[str, Reply]:
        """Note a request, and choose its reply."""
        rest = {k: v for k, v in body.items() if k not in ("model", "messages")}
        parameters = {**rest, "model": f"openai/{body['model']}", "api_base": self.address}
        sha = sha256(canonical([body["messages"], parameters]))
        number = len(self.seen) + 1
        self.seen.append(Seen(number, sha, self._loop.time()))
        self.keys.add(key)
        if self.keep:
            self.bodies.append(body)
        self.active += 1
        self.most_active = max(self.most_active, self.active)
        return sha, next((r for f in self.faults if (r := f(number, body))), None) or self.reply(body)


class _Connection(asyncio.Protocol):
    """One client's connection: requests one after the other, each with a Content-Length."""

    def __init__(self, server: Loopback) -> None:
        self.server = server
        self.data = bytearray()
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.data += data
        if (end := self.data.find(b"\r\n\r\n")) < 0:
            return
        lines = self.data[:end].decode("latin-1").split("\r\n")[1:]
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        size = int(headers.get("content-length", 0))
        if len(self.data) < end + 4 + size:
            return
        body = json.loads(self.data[end + 4 : end + 4 + size])
        del self.data[: end + 4 + size]
        sha, reply = self.server.take(body, headers.get("authorization", ""))
        asyncio.get_running_loop().call_later(self.server.latency_s + reply.wait_s, self.send, sha, reply)

    def send(self, sha: str, reply: Reply) -> None:
        self.server.active -= 1
        if self.transport.is_closing():
            return
        data = (reply.body if isinstance(reply.body, str) else json.dumps(reply.body)).encode()
        headers = {"Content-Type": "application/json", "Content-Length": str(len(data)), **reply.headers}
        shown = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.transport.write(f"HTTP/1.1 {reply.status} X\r\n{shown}\r\n".encode() + data)
        self.server.answered[sha] += reply.usable


if __name__ == "__main__":
    with Loopback(port=int(sys.argv[1]), latency_s=float(sys.argv[2]), keep=False) as running:
        print(running.address, flush=True)
        sys.stdin.read()
        print(json.dumps({"asked": len(running.seen), "most_active": running.most_active}))
