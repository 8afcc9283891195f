"""Makes a client from the server's description, as the author of a backend would, imports all of it and calls the
server with it. Its argument is a folder for the client. Prints the number of its modules."""

import importlib
import os
import pkgutil
import subprocess
import sys
import time

import jsonschema
import requests

address, backend_key, folder = os.environ["NIGHTLATCH_SERVER"], os.environ["NIGHTLATCH_BACKEND_KEY"], sys.argv[1]
package = "nightlatch_relying_party_client"

document = requests.get(address + "/openapi.json", timeout=30).json()
for path, operations in document["paths"].items():
    for operation in operations.values():
        bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
        for media_type in (media_type for body in bodies for media_type in body.get("content", {}).values()):
            schema = {**media_type["schema"], "components": document["components"]}
            jsonschema.Draft202012Validator(schema).validate(media_type["example"])

# Without hooks the generator formats nothing, so it needs no other program.
with open(folder + "/generator.yaml", "w") as file:
    file.write("post_hooks: []\n")
generator = [sys.executable, "-m", "openapi_python_client", "generate", "--url", address + "/openapi.json"]
made = subprocess.run(
    [*generator, "--config", folder + "/generator.yaml", "--output-path", folder + "/client", "--fail-on-warning"],
    capture_output=True,
    text=True,
    check=False,
)
assert made.returncode == 0, made.stdout + made.stderr

sys.path.insert(0, folder + "/client")
client_package = importlib.import_module(package)
modules = [module.name for module in pkgutil.walk_packages(client_package.__path__, package + ".")]
for name in modules:
    importlib.import_module(name)
from nightlatch_relying_party_client import AuthenticatedClient, Client, models
from nightlatch_relying_party_client.api.apps import list_apps, put_app
from nightlatch_relying_party_client.api.enrolment import create_enrolment_code, set_password, verify_password
from nightlatch_relying_party_client.api.login import introspect_token
from nightlatch_relying_party_client.api.profiles import set_profile
from nightlatch_relying_party_client.api.server import is_ready, keys
from nightlatch_relying_party_client.api.transactions import create_transaction, list_transactions, void_transaction

anonymous = Client(base_url=address)
assert is_ready.sync(client=anonymous).status == "ok"
assert len(keys.sync(client=anonymous).keys) == 1

backend = AuthenticatedClient(base_url=address, token=backend_key)
code = create_enrolment_code.sync(client=backend, body=models.EnrolmentCodeRequest(user="alice"))
assert code.user == "alice" and len(code.code) == 24
refused = create_enrolment_code.sync(
    client=AuthenticatedClient(base_url=address, token="x" * 43), body=models.EnrolmentCodeRequest(user="alice")
)
assert isinstance(refused, models.Problem) and (refused.status, refused.code) == (401, "backend_key_refused")

credentials = models.Credentials(user="alice", password="correct horse")
assert set_password.sync(client=backend, body=credentials).user == "alice"
credentials.password = "wrong"
assert verify_password.sync(client=backend, body=credentials).code == "credentials_refused"

profile = models.ProfileRequest(user="alice", email="alice@example.com", email_verified=True)
assert set_profile.sync(client=backend, body=profile).revision == 1

details = models.TransactionDetails(
    amount="129.90",
    currency="EUR",
    payee="Night Train Ltd",
    lines=[models.TransactionLine(label="Journey", value="Vienna to Hamburg")],
    expires_at=int(time.time()) + 600,
)
request = models.TransactionRequest(id=os.urandom(16).hex(), user="alice", devices="all", details=details)
chosen = models.TransactionRequest.from_dict({**request.to_dict(), "devices": ["0" * 32]})
assert chosen.devices == ["0" * 32] and create_transaction.sync(client=backend, body=chosen).code == "addressee_unknown"
report = create_transaction.sync(client=backend, body=request)
assert report.state == models.TransactionState.PENDING and report.details == details
assert [found.id for found in list_transactions.sync(client=backend, user="alice").transactions] == [request.id]
assert void_transaction.sync(request.id, client=backend).state == models.TransactionState.VOIDED

unknown = introspect_token.sync(client=backend, body=models.PresentedToken(token="nonsense"))
assert isinstance(unknown, models.InactiveToken) and not unknown.active

app = models.AppRequest(client_id="shop", client_name="Shop", redirect_uris=["https://shop.example/callback"])
assert put_app.sync("shop", client=backend, body=app).revision == 1
assert [found.client_id for found in list_apps.sync(client=backend).apps] == ["shop"]

print(f"{len(modules)} modules")
