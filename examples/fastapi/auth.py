"""Checks sessions and tokens of the service."""

import os
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx
import jwt
from fastapi import HTTPException, Request, Response
from starlette.datastructures import Headers

SERVICE = os.environ.get("AUTH_URL", "http://localhost:3000")
ISSUER = f"{SERVICE}/api/auth"

# All visitors share this client, so it must not keep cookies: it would send one user's session with another user's request.
service = httpx.AsyncClient(timeout=3, cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])))
keys = jwt.PyJWKClient(f"{ISSUER}/jwks", timeout=3)


@dataclass
class Verdict:
    status: str  # "authenticated", "anonymous", or "unavailable": the state is unknown, so do not sign the user out
    user: dict | None = None
    cookies: list[str] = field(default_factory=list)


def forwarded(request: Request, *names: str) -> dict[str, str]:
    """Returns these header fields of a request, and its sender's address. The service must list the backend in `trusted_proxies`."""
    sent = {name: request.headers[name] for name in names if name in request.headers}
    return sent | {"x-forwarded-for": request.client.host}


async def get_session(request: Request) -> Verdict:
    try:
        sent = forwarded(request, "cookie", "authorization", "user-agent")
        answer = await service.get(f"{ISSUER}/get-session", headers=sent)
        body = answer.json()
    except (httpx.HTTPError, ValueError):
        return Verdict("unavailable")
    cookies = answer.headers.get_list("set-cookie")
    if answer.status_code == 200:
        return Verdict("authenticated" if body["session"] else "anonymous", body["user"], cookies)
    is_refused = answer.status_code == 401 or answer.status_code == 403 and body.get("error", {}).get("code") == "banned"
    return Verdict("anonymous", None, cookies) if is_refused else Verdict("unavailable")


async def require_session(request: Request, response: Response) -> dict:
    verdict = await get_session(request)
    raw = [(b"set-cookie", cookie.encode()) for cookie in verdict.cookies]
    if verdict.status != "authenticated":
        raise HTTPException(503 if verdict.status == "unavailable" else 401, headers=Headers(raw=raw))
    response.raw_headers.extend(raw)
    return verdict.user


def verify_token(request: Request) -> dict:
    """Returns the claims of the request's token. It is not `async`: reading the keys blocks, so FastAPI must run it in a thread."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    try:
        key = keys.get_signing_key_from_jwt(token if scheme.lower() == "bearer" else "")
        required = {"require": ["iss", "aud", "sub", "exp"]}
        return jwt.decode(token, key, algorithms=["EdDSA"], issuer=ISSUER, audience=ISSUER, leeway=5, options=required)
    except jwt.PyJWKClientConnectionError:
        raise HTTPException(503)
    except jwt.PyJWTError:
        raise HTTPException(401)
