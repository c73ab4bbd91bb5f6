"""A headless Chromium as a person uses it: clicks at places on the screen, keys, and what is to be seen there.

It is driven through its debugging pipe, so that no driver and no other package is needed.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
)
PATIENCE = 60.0
KEYS = {"Enter": 13, "Escape": 27, "Tab": 9, "Home": 36, "End": 35}
KEYS |= {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}


class Failed(Exception):
    """The browser answered with an error, or not at all."""


def find_browser() -> str | None:
    """Return the path of a Chromium, None where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page in a browser of its own, with a profile of its own."""

    def __init__(self, program: str, profile: Path) -> None:
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()
        # the shell puts the ends where the browser looks for them, 3 and 4, whatever their numbers here
        wiring = f'exec 3<&{to_browser} 4>&{from_browser}; exec "$@"'
        self.process = subprocess.Popen(
            ["bash", "-c", wiring, "bash", program, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(to_browser, from_browser),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self.rest, self.sent, self.session = b"", 0, ""
        self.events: list[dict[str, Any]] = []
        targets = self.call("Target.getTargets")["targetInfos"]
        target = next(each["targetId"] for each in targets if each["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network"):
            self.call(f"{domain}.enable")

    def close(self) -> None:
        """End the browser."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.output)
        os.close(self.input)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the debugging protocol and return its result."""
        self.sent += 1
        message = {"id": self.sent, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while True:
            answer = self.receive(until)
            if answer.get("id") == self.sent:
                break
            self.events.append(answer)
        if "error" in answer:
            raise Failed(f"{method}: {answer['error']}")
        result: dict[str, Any] = answer["result"]
        return result

    def receive(self, until: float) -> dict[str, Any]:
        """Return the next message."""
        while b"\0" not in self.rest:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.input], [], [], left)[0]:
                raise Failed(f"no answer within {PATIENCE:g} s")
            piece = os.read(self.input, 1 << 16)
            if not piece:
                raise Failed("the browser has ended")
            self.rest += piece
        text, _, self.rest = self.rest.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        return message

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise Failed(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, expression: str) -> Any:
        """Return the value of an expression as soon as it is true."""
        until = time.monotonic() + PATIENCE
        while not (value := self.evaluate(expression)):
            if time.monotonic() > until:
                raise Failed(f"never true: {expression}")
            time.sleep(0.02)
        return value

    def size(self, width: int, height: int) -> None:
        """Make the window so many pixels wide and high."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def media(self, medium: str = "", **features: str) -> None:
        """Show the page as on paper, or with features such as prefers_color_scheme="dark"."""
        named = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.call("Emulation.setEmulatedMedia", media=medium, features=named)

    def open(self, address: str) -> None:
        """Open a page anew and wait until its script has run."""
        for each in ("about:blank", address):
            self.events.clear()
            self.call("Page.navigate", url=each)
            until = time.monotonic() + PATIENCE
            while not self.heard("Page.loadEventFired"):
                self.events.append(self.receive(until))
        self.wait("document.documentElement.dataset.ready === 'true'")

    def click(self, selector: str) -> None:
        """Click in the middle of an element, or of its first line, after scrolling to it; what lies over it is clicked."""
        self.wait(f"document.querySelector({json.dumps(selector)}) !== null")
        x, y = self.evaluate(
            f"""(() => {{ const node = document.querySelector({json.dumps(selector)});
            node.scrollIntoView({{ block: "center" }}); const box = node.getClientRects()[0];
            return [box.x + box.width / 2, box.y + box.height / 2]; }})()"""
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key: str) -> None:
        """Press a key and let it go."""
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        code = KEYS.get(key, ord(key.upper()) if len(key) == 1 and key.isalnum() else 0)
        named = {"key": key, "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **named)
        self.call("Input.dispatchKeyEvent", type="keyUp", **named)

    def type(self, text: str) -> None:
        """Type text where the focus is."""
        self.call("Input.insertText", text=text)

    def text(self, selector: str) -> str:
        """Return what is to be read in an element."""
        value: str = self.evaluate(f"document.querySelector({json.dumps(selector)}).innerText")
        return value

    def shown(self, selector: str) -> bool:
        """Tell whether an element can be seen."""
        value: bool = self.evaluate(f"document.querySelector({json.dumps(selector)})?.checkVisibility() ?? false")
        return value

    def requests(self) -> list[str]:
        """Return the addresses that the page has asked for since it was opened."""
        return [each["params"]["request"]["url"] for each in self.heard("Network.requestWillBeSent")]

    def complaints(self) -> list[Any]:
        """Return the exceptions and errors that the page has met."""
        logged = [each for each in self.heard("Runtime.consoleAPICalled") if each["params"]["type"] == "error"]
        return [*self.heard("Runtime.exceptionThrown"), *logged]

    def heard(self, method: str) -> list[dict[str, Any]]:
        """Return the events of a kind."""
        return [event for event in self.events if event.get("method") == method]
