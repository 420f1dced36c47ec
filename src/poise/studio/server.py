"""The server: the page, and one WebSocket for each of its windows. For this machine only.

It binds 127.0.0.1. Whoever wants to talk to the session needs the token of the address that was
opened, an Origin that is this server's own, and a Host that is: another page in the same browser
has neither, whatever name it resolves to this machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import re
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from poise.errors import FileError, OptionError, PoiseError
from poise.studio import messages as m
from poise.studio import outbox
from poise.studio.hub import Hub, Window
from poise.studio.project import MOST_UPLOAD
from poise.studio.session import Session

ADDRESS = "127.0.0.1"
PAGE = Path(__file__).parent / "static"
"""The built page."""
_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:;"
    " connect-src 'self' ws: data: blob:; worker-src 'self' blob:; frame-ancestors 'none'"
)
NOT_BUILT = (
    "the studio's page is not built; run `python src/poise/studio/web/build.py`,"
    " or install Poise again with `pip install .`"
)


class Server:
    """Serves one session, from `start` to `stop`, or as long as `run` lasts."""

    def __init__(self, session: Session, port: int = 0, page: Path = PAGE) -> None:
        self.session = session
        self.token = secrets.token_urlsafe(24)
        self.watch_token = secrets.token_urlsafe(24)
        """Of those who may look on, and change nothing."""
        self._socket = _bound(port)
        self.port: int = self._socket.getsockname()[1]
        self._page = page
        self._hub: Hub | None = None
        self._server = uvicorn.Server(
            uvicorn.Config(
                self.app(),
                log_level="warning",
                ws="websockets-sansio",
                ws_max_size=m.MOST_TEXT,
                ws_per_message_deflate=False,  # poses hardly shrink, and it costs time
                server_header=False,
                timeout_graceful_shutdown=2,
            )
        )

    @property
    def address(self) -> str:
        """What to open in a browser."""
        return f"http://{ADDRESS}:{self.port}/?token={self.token}"

    @property
    def is_ready(self) -> bool:
        return self._server.started

    def run(self) -> None:
        """Serve until `stop`, or until the process is told to end."""
        gc.collect()
        gc.freeze()  # looking through all that is loaded would take 0.1 s in the midst of a drag
        self._server.run(sockets=[self._socket])

    def stop(self) -> None:
        self._server.should_exit = True

    def app(self) -> ASGIApp:
        """The application, for an ASGI server."""
        routes = [
            WebSocketRoute("/ws", _Socket(self._talk)),
            Route("/upload", self._upload, methods=["POST"]),
            Route("/download", self._download),
            Route("/mesh/{key}", self._mesh),
            Route("/ground", self._ground),
        ]
        if (self._page / "index.html").is_file():
            routes.append(Mount("/", StaticFiles(directory=self._page, html=True)))
        else:
            routes.append(Route("/", _not_built))
        return _Guard(Starlette(routes=routes, lifespan=self._lifespan), self.port)

    @contextlib.asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self._hub = Hub(self.session, self.watch_token)
        saving = asyncio.create_task(self._hub.autosave())
        yield
        saving.cancel()
        await asyncio.gather(saving, return_exceptions=True)
        self.session.close()

    def _is_ours(self, headers: Headers) -> bool:
        """Whether a request comes from our own page."""
        own = [f"http://{name}:{self.port}" for name in (ADDRESS, "localhost")]
        return headers.get("origin") in own

    def _may_edit(self, token: str) -> bool:
        return secrets.compare_digest(token.encode(), self.token.encode())

    def _may_look(self, token: str) -> bool:
        watches = secrets.compare_digest(token.encode(), self.watch_token.encode())
        return self._may_edit(token) or watches

    async def _talk(self, socket: WebSocket, receive: Receive, send: Send) -> None:
        token = socket.query_params.get("token", "")
        if not (self._is_ours(socket.headers) and self._may_look(token)):
            await socket.close(1008)  # before it was accepted: the answer is 403
            return
        assert self._hub is not None
        await socket.accept()
        window = self._hub.join(watches=not self._may_edit(token))
        sender = _sender(send)
        tasks = [
            asyncio.create_task(window.outbox.keep_sending(sender)),
            asyncio.create_task(self._hub.serve(window, sender)),
        ]
        try:
            await self._listen(receive, window)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._hub.leave(window)

    async def _listen(self, receive: Receive, window: Window) -> None:
        assert self._hub is not None
        while True:
            message = await receive()
            if message["type"] == "websocket.disconnect":
                return
            data = message.get("bytes")
            await self._hub.receive(window, message["text"] if data is None else data)

    async def _upload(self, request: Request) -> Response:
        """Take a file that was dropped onto the page."""
        if not (self._is_ours(request.headers) and self._may_edit(_token(request))):
            return PlainTextResponse("not from here", 403)
        data = bytearray()
        async for chunk in request.stream():
            data += chunk
            if len(data) > MOST_UPLOAD:
                return PlainTextResponse(f"a file of more than {MOST_UPLOAD >> 20} MB", 413)
        try:
            name = request.query_params.get("name", "")
            project = self.session.keeper.project
            path = await asyncio.to_thread(project.upload, name, bytes(data))
        except PoiseError as error:
            return PlainTextResponse(str(error), 400)
        return JSONResponse({"path": path})

    async def _download(self, request: Request) -> Response:
        """The document as a file. A link has no Origin, so the token must do."""
        if not self._may_look(_token(request)):
            return PlainTextResponse("not from here", 403)
        suffix = "." + request.query_params.get("format", "poise").lower()
        try:
            session = self.session
            data = await asyncio.to_thread(session.keeper.exported, session.document, suffix)
        except PoiseError as error:
            return PlainTextResponse(str(error), 400)
        name = re.sub(r"[^\w-]+", "_", self.session.document.name, flags=re.ASCII) or "document"
        disposition = f'attachment; filename="{name}{suffix}"'
        return Response(data, 200, {"content-disposition": disposition}, "application/octet-stream")

    async def _mesh(self, request: Request) -> Response:
        """The skin of the character. Names a file by what is in it, so it never changes."""
        if not self._may_look(_token(request)):
            return PlainTextResponse("not from here", 403)
        try:
            session, key = self.session, request.path_params["key"]
            data = await asyncio.to_thread(session.keeper.mesh, session.document, key)
        except PoiseError as error:
            return PlainTextResponse(str(error), 404)
        keep = {"cache-control": "private, max-age=3600, immutable"}
        return Response(data, 200, keep, "model/gltf-binary")

    async def _ground(self, request: Request) -> Response:
        """The ground about the figure, while it walks."""
        if not self._may_look(_token(request)):
            return PlainTextResponse("not from here", 403)
        place = request.query_params.get("place", "")
        try:
            data = await asyncio.to_thread(self.session.ground, place)
        except PoiseError as error:
            return PlainTextResponse(str(error), 404)
        return Response(data, 200, {"cache-control": "no-store"}, "application/octet-stream")


def _token(request: Request) -> str:
    return request.query_params.get("token", "")


def _sender(send: Send) -> outbox.Send:
    """Sends messages of a window; to one that has gone, nothing."""

    async def sender(message: str | bytes) -> None:
        kind = "text" if isinstance(message, str) else "bytes"
        with contextlib.suppress(OSError):
            await send({"type": "websocket.send", kind: message})

    return sender


class _Socket:
    """A WebSocket's application that is called with what the server gives: a wrapper about every
    message takes its time."""

    def __init__(self, talk: Callable[[WebSocket, Receive, Send], Awaitable[None]]) -> None:
        self._talk = talk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._talk(WebSocket(scope, receive, send), receive, send)


async def _not_built(request: Request) -> Response:
    return PlainTextResponse(NOT_BUILT, 503)


def _bound(port: int) -> socket.socket:
    """A socket on this machine alone; port 0 takes any that is free."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.bind((ADDRESS, port))
        listening.listen()  # who comes before the server runs waits, and is not refused
    except OverflowError:
        listening.close()
        raise OptionError(f"port {port} is not one; give a number from 0 to 65535") from None
    except OSError as error:
        listening.close()
        raise FileError(
            f"port {port} cannot be used: {error.strerror or error}; choose another with --port"
        ) from error
    return listening


class _Guard:
    """Refuses requests for another host, and tells browsers what the page may do."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._hosts = {f"{ADDRESS}:{port}", f"localhost:{port}"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if Headers(scope=scope).get("host") not in self._hosts:
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            else:
                answer = PlainTextResponse("this is the Poise studio; open its own address", 421)
                await answer(scope, receive, send)
            return

        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message.get("headers", []),
                    (b"content-security-policy", _POLICY.encode()),
                    (b"referrer-policy", b"no-referrer"),
                    (b"x-content-type-options", b"nosniff"),
                    (b"cross-origin-resource-policy", b"same-origin"),
                ]
            await send(message)

        await self._app(scope, receive, guarded)
