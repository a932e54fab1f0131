import sys

import openapi_client as client
from openapi_client.api.admin_api import AdminApi
from pydantic import ValidationError

base, token, count = sys.argv[1:]
with client.ApiClient(client.Configuration(host=base, access_token=token)) as api:
    users, cursor = [], None
    while True:
        page = AdminApi(api).admin_users_list(limit=500, cursor=cursor)
        users += page.users
        cursor = page.next_cursor
        if cursor is None:
            break

listed = [own for own in (user.attributes for user in users) if own and own.teams and len(own.teams) == 2]
assert len(listed) == int(count)
assert all(own.plan == ("free" if own.teams[0] % 2 == 1 else "pro") for own in listed)
assert len({user.id for user in users}) == len(users)

for refused in ({"plan": "gold"}, {"teams": ["red"]}, {"teams": [0]}):
    try:
        client.AdministeredAttributes.from_dict(refused)
        raise AssertionError(f"{refused} is accepted")
    except ValidationError:
        pass
