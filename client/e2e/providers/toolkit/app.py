"""Identity provider based on Django and django-oauth-toolkit, set up as in the toolkit's documentation.

Access tokens are opaque, so servers must introspect them. Settings are one JSON object on standard input, because they
contain secrets:

    port, database, key      port to listen on, path of the SQLite file, RSA key (PEM)
    accounts                 name, fullName, email and role of each; the password equals the name
    clients                  id, secret (null for public clients), redirects, afterSignOut, origins
"""

import json
import sys
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import django
from django.conf import settings

config = json.load(sys.stdin)
issuer = f"http://localhost:{config['port']}/o"

settings.configure(
    DEBUG=False,
    SECRET_KEY="for tests on loopback only",
    ALLOWED_HOSTS=["localhost"],
    ROOT_URLCONF=__name__,
    LOGIN_URL="/login/",
    USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": config["database"],
            "OPTIONS": {"timeout": 20, "transaction_mode": "IMMEDIATE"},
        }
    },
    # Passwords equal the account names, so a slow hash adds no security.
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "oauth2_provider",
    ],
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.auth.context_processors.auth",
                ]
            },
        }
    ],
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True,
        "OIDC_ISS_ENDPOINT": issuer,
        "OIDC_RSA_PRIVATE_KEY": config["key"],
        "OIDC_RP_INITIATED_LOGOUT_ENABLED": True,
        "OIDC_RP_INITIATED_LOGOUT_ALWAYS_PROMPT": False,
        "OAUTH2_VALIDATOR_CLASS": f"{__name__}.Validator",
        "ALLOWED_SCHEMES": ["http"],
        "PKCE_REQUIRED": True,
        "ACCESS_TOKEN_EXPIRE_SECONDS": 300,
        "ID_TOKEN_EXPIRE_SECONDS": 300,
        "REFRESH_TOKEN_EXPIRE_SECONDS": 86_400,
        "SCOPES": {"openid": "Who you are", "profile": "Your name and role", "email": "Your address"},
    },
)
django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.contrib.auth.views import LoginView  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.template import engines  # noqa: E402
from django.urls import include, path  # noqa: E402
from oauth2_provider import urls as toolkit  # noqa: E402
from oauth2_provider.models import Application  # noqa: E402
from oauth2_provider.oauth2_validators import OAuth2Validator  # noqa: E402

ROLES = {account["name"]: account["role"].lower() for account in config["accounts"]}

LOGIN = engines["django"].from_string(
    """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sign in</title><link rel="icon" href="data:,"></head>
<body><h1>Sign in</h1><form method="post">{% csrf_token %}{{ form.as_p }}<button>Sign in</button></form></body></html>"""
)


class Validator(OAuth2Validator):
    """Adds claims to tokens and allows silent sign-in."""

    oidc_claim_scope = None

    def get_additional_claims(self, request):
        user = request.user
        return {
            "name": user.get_full_name(),
            "preferred_username": user.username,
            "email": user.email,
            "roles": [ROLES[user.username]],
        }

    # The view has already checked that the user is signed in, and all clients here are trusted.
    def validate_silent_login(self, request):
        return True

    def validate_silent_authorization(self, request):
        return True


class Login(LoginView):
    def render_to_response(self, context, **_):
        return HttpResponse(LOGIN.render(context, self.request))


urlpatterns = [
    path("login/", Login.as_view()),
    path("o/", include((toolkit.base_urlpatterns + toolkit.oidc_urlpatterns, "oauth2_provider"))),
]


def fill_database():
    call_command("migrate", verbosity=0)
    for account in config["accounts"]:
        if not User.objects.filter(username=account["name"]).exists():
            first, last = account["fullName"].split(" ", 1)
            User.objects.create_user(
                account["name"], account["email"], account["name"], first_name=first, last_name=last
            )
    for client in config["clients"]:
        confidential = client["secret"] is not None
        Application.objects.update_or_create(
            client_id=client["id"],
            defaults={
                "name": client["id"],
                "client_secret": client["secret"] or "",
                "client_type": Application.CLIENT_CONFIDENTIAL if confidential else Application.CLIENT_PUBLIC,
                "authorization_grant_type": Application.GRANT_AUTHORIZATION_CODE,
                "algorithm": Application.RS256_ALGORITHM,
                "skip_authorization": True,
                "redirect_uris": " ".join(client["redirects"]),
                "post_logout_redirect_uris": " ".join(client["afterSignOut"]),
                "allowed_origins": " ".join(client["origins"]),
            },
        )


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Quiet(WSGIRequestHandler):
    # Request URLs contain authorization codes, so they are not logged.
    def log_request(self, *_):
        pass


if __name__ == "__main__":
    fill_database()
    make_server("127.0.0.1", config["port"], get_wsgi_application(), Server, Quiet).serve_forever()
