import sys

import openapi_client as client
from openapi_client.api.email_password_api import EmailPasswordApi
from openapi_client.api.sessions_api import SessionsApi

password = "correct horse battery staple"
configuration = client.Configuration(host=sys.argv[1])
with client.ApiClient(configuration) as api:
    own = client.SignUpEmailInput(email="py@example.com", password=password, name="Py")
    answer = EmailPasswordApi(api).sign_up_email_with_http_info(own)
    assert answer.data.user.email == "py@example.com"
    configuration.access_token = answer.headers["set-auth-token"]
    assert len(SessionsApi(api).list_sessions().sessions) == 1
    signed_in = EmailPasswordApi(api).sign_in_email(client.SignInEmailInput(email=own.email, password=password))
    assert type(signed_in.actual_instance).__name__ == "SignInEmailUser"
    try:
        EmailPasswordApi(api).sign_up_email(own)
        raise AssertionError("signed up twice")
    except client.ApiException as refusal:
        assert refusal.status == 422 and refusal.data.error.code == "user_already_exists"
