"""A headless Chromium for tests, driven through its DevTools protocol over two pipes: no package, no port, no network.

Commands and events are JSON objects, each ended by a NUL byte
(https://chromedevtools.github.io/devtools-protocol/).
"""

from __future__ import annotations

import base64
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

TIMEOUT_S = 60
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
         "--hide-scrollbars", "--disable-background-networking", "--disable-component-update",
         "--remote-debugging-pipe")  # fmt: skip
# Chromium reads commands from descriptor 3 and writes to 4: these may be in use here, so another process sets them.
_TRAMPOLINE = """
import fcntl, os, sys
r, w = (fcntl.fcntl(int(n), fcntl.F_DUPFD, 10) for n in sys.argv[1:3])
os.dup2(r, 3), os.dup2(w, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
KEYS = {"Enter": 13, "Escape": 27, "Tab": 9, "ArrowDown": 40, "ArrowUp": 38}


def chromium_path() -> str:
    """Where Chromium is; skips the test where there is none."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("no chromium on the path")
    return found


class Chromium:
    """One browser with one page. `problems`: what the console complained of; `urls`: all that was asked for."""

    def __init__(self, profile: Path) -> None:
        self.problems: list[str] = []
        self.urls: list[str] = []
        to_read, self._out = os.pipe()
        self._in, to_write = os.pipe()
        command = [sys.executable, "-c", _TRAMPOLINE, str(to_read), str(to_write), chromium_path()]
        command += [*FLAGS, f"--user-data-dir={profile}", "about:blank"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(command, pass_fds=(to_read, to_write), **quiet)
        os.close(to_read)
        os.close(to_write)
        self._replies: queue.Queue[dict[str, Any]] = queue.Queue()
        self._number = 0
        self._session: str | None = None
        threading.Thread(target=self._listen, daemon=True).start()
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def __enter__(self) -> Chromium:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(TIMEOUT_S)
        os.close(self._out)

    def _listen(self) -> None:
        with os.fdopen(self._in, "rb") as pipe:
            held = b""
            while part := pipe.read1(1 << 16):
                *whole, held = (held + part).split(b"\0")
                for message in map(json.loads, whole):
                    self._replies.put(message) if "id" in message else self._event(message)

    def _event(self, message: dict[str, Any]) -> None:
        method, told = message["method"], message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.urls.append(told["request"]["url"])
        if method == "Runtime.exceptionThrown":
            self.problems.append(json.dumps(told["exceptionDetails"]))
        if method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning", "assert"):
            self.problems.append(json.dumps(told["args"]))
        if method == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
            self.problems.append(told["entry"]["text"])

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """A command's result. Raises `RuntimeError` for one that fails, `queue.Empty` if the browser does not reply."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while (reply := self._replies.get(timeout=TIMEOUT_S))["id"] != self._number:
            pass
        if "error" in reply:
            raise RuntimeError(f"{method}: {reply['error']}")
        return dict(reply["result"])

    def open(
        self, page: Path, fragment: str = "", width: int = 1280, scheme: str = "light", medium: str = "screen"
    ) -> None:
        """Open a file in a window of this width, anew even if only the fragment differs."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.send("Emulation.setEmulatedMedia", media=medium, features=features)
        self.send("Page.navigate", url="about:blank")
        self.wait("location.href === 'about:blank'")
        self.send("Page.navigate", url=page.as_uri() + fragment)
        self.wait("location.protocol === 'file:' && document.readyState === 'complete'")

    def js(self, expression: str) -> Any:
        """The value of an expression in the page, awaited. Raises `RuntimeError` where it throws."""
        told = self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in told:
            raise RuntimeError(f"{expression}: {told['exceptionDetails']}")
        return told["result"].get("value")

    def wait(self, expression: str) -> None:
        """Wait until an expression holds. Raises `TimeoutError`."""
        end = time.monotonic() + TIMEOUT_S
        while not self.js(f"Boolean({expression})"):
            if time.monotonic() > end:
                raise TimeoutError(expression)
            time.sleep(0.02)

    def press(self, key: str) -> None:
        """Press and release a key, by its name (`j`, `/`, `Enter`)."""
        text = "\r" if key == "Enter" else key if len(key) == 1 else ""
        told = {"key": key, "windowsVirtualKeyCode": KEYS.get(key, ord(key[0].upper()))}
        self.send("Input.dispatchKeyEvent", type="keyDown", text=text, **told)
        self.send("Input.dispatchKeyEvent", type="keyUp", **told)

    def screenshot(self, path: Path) -> None:
        """The window as a PNG file."""
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot")["data"]))
