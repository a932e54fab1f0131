"""A page with sign-up and sign-out on one origin with the service, and two protected routes."""

import httpx
from fastapi import Depends, FastAPI, HTTPException, Request, Response
from fastapi.responses import FileResponse

from auth import SERVICE, forwarded, require_session, service, verify_token

app = FastAPI()
passed_on = ("cookie", "authorization", "content-type", "origin", "referer", "sec-fetch-site", "user-agent")
passed_back = {"cache-control", "content-type", "retry-after", "session-changed", "set-auth-token", "set-cookie"}


@app.get("/")
def page() -> FileResponse:
    return FileResponse("../page.html")


@app.api_route("/api/auth/{path:path}", methods=["GET", "POST"])
async def proxied(request: Request) -> Response:
    url = f"{SERVICE}{request.url.path}?{request.url.query}"
    sent = forwarded(request, *passed_on)
    try:
        answer = await service.request(request.method, url, headers=sent, content=await request.body())
    except httpx.HTTPError:
        raise HTTPException(503)
    response = Response(answer.content, answer.status_code)
    # Sends each Set-Cookie as a field of its own: of cookies that are joined by commas, browsers would read only the first.
    for name, value in answer.headers.multi_items():
        if name in passed_back:
            response.headers.append(name, value)
    return response


@app.get("/me")
async def me(user: dict = Depends(require_session)) -> dict:
    return {"email": user["email"]}


@app.get("/claims")
async def claims(claims: dict = Depends(verify_token)) -> dict:
    return {"email": claims["email"]}
