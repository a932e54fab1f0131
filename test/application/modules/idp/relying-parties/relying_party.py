import os
import sys

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # The service is on this machine.

import requests
from authlib.integrations.flask_client import OAuth
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from flask import Flask

base, cookie, user_id, client_id, client_secret, redirect_uri = sys.argv[1:]
scope = "openid email offline_access"
metadata_url = base + "/.well-known/openid-configuration"
metadata = requests.get(metadata_url, timeout=30).json()

app = Flask("relying party")
app.secret_key = "of the relying party"
party = OAuth(app).register(
    "sallyport",
    client_id=client_id,
    client_secret=client_secret,
    server_metadata_url=metadata_url,
    client_kwargs={"scope": scope, "code_challenge_method": "S256"},
)


@app.get("/login")
def login():
    return party.authorize_redirect(redirect_uri)


@app.get("/callback")
def callback():
    token = party.authorize_access_token()
    return {"token": token, "userinfo": party.userinfo(token=token)}


browser = app.test_client()
link = browser.get("/login").headers["location"]
answer = requests.get(link, headers={"cookie": cookie}, allow_redirects=False, timeout=30)
assert answer.status_code == 302, answer.text
back = answer.headers["location"]
signed_in = browser.get("/callback?" + back.partition("?")[2])
assert signed_in.status_code == 200, signed_in.text
token = signed_in.json["token"]
# The claims of the ID token, which Authlib has checked.
assert token["userinfo"]["sub"] == user_id and token["userinfo"]["iss"] == base
assert signed_in.json["userinfo"] == {"sub": user_id, "email": "ada@example.com", "email_verified": False}

session = OAuth2Session(client_id, client_secret, scope=scope, token=token)
refreshed = session.refresh_token(metadata["token_endpoint"])
assert refreshed["access_token"] != token["access_token"]
introspect = lambda text: session.introspect_token(metadata["introspection_endpoint"], token=text).json()
assert introspect(refreshed["access_token"])["active"] is True

assert session.revoke_token(metadata["revocation_endpoint"], token=refreshed["refresh_token"]).status_code == 200
assert introspect(refreshed["access_token"]) == {"active": False}
try:
    session.refresh_token(metadata["token_endpoint"], refresh_token=refreshed["refresh_token"])
    raise AssertionError("refreshed with a revoked token")
except OAuthError as refusal:
    assert refusal.error == "invalid_grant"

administration = base + "/admin"
machine = OAuth2Session("nightly", client_secret, scope="users:read", token_endpoint=metadata["token_endpoint"])
machine.fetch_token(grant_type="client_credentials", resource=administration)
assert [user["id"] for user in machine.get(administration + "/list-users").json()["users"]] == [user_id]
assert machine.get(administration + "/audit/list").status_code == 403
