"""Sends many requests at once to several servers over one database.

Usage: races.py BACKEND-KEY-FILE REALM USER PASSWORD URL…

The last byte of an answer is sent when all other answers have reached their servers except for their last byte.
"""

import http.client
import json
import sys
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from journeyclient import IOS, Answer, Client

key_file, realm, user, password = sys.argv[1:5]
clients = [Client(url, realm, IOS()) for url in sys.argv[5:]]
user_id = f"id={user},ou=user,o={realm},ou=services,ou=am-config"
COUNT = 200


def client(number):
    """Returns the clients of the servers in turn."""
    return clients[number % len(clients)]


def send_at_once(bodies):
    """Sends the bodies to the servers in turn, all at the same moment."""
    ready = Barrier(len(bodies))

    def send(number, body):
        address = urllib.parse.urlsplit(client(number).base)
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=120)
        data = json.dumps(body).encode()
        connection.putrequest("POST", f"{address.path}/json/realms/{realm}/authenticate")
        connection.putheader("Content-Type", "application/json")
        connection.putheader("Content-Length", str(len(data)))
        connection.endheaders(data[:-1])
        ready.wait(timeout=120)
        connection.send(data[-1:])
        response = connection.getresponse()
        answer = Answer(response.status, response.read().decode())
        connection.close()
        return answer

    with ThreadPoolExecutor(len(bodies)) as pool:
        return list(pool.map(send, range(len(bodies)), bodies))


def copy(answer):
    return Answer(answer.status, answer.text)


def binding_of(asked, key):
    """Returns the answer to `asked` that binds a key."""
    callback = asked.callback("DeviceBindingCallback")
    outputs = clients[0].dialect.read_binding(callback)
    message = clients[0].message(key, user_id, outputs["challenge"], outputs["timeout"], True)
    values = {"jws": message, "deviceName": "Phone", "deviceId": clients[0].device_id}
    clients[0].dialect.fill(callback, values)
    return {"authId": asked.json["authId"], "callbacks": asked.json["callbacks"]}


def signing_of(asked, key, number):
    """Returns the answer to `asked` with a signature; each number gives another message."""
    callback = asked.callback("DeviceSigningVerifierCallback")
    message = clients[0].message(
        key, user_id, asked.output("DeviceSigningVerifierCallback", "challenge"), 60, False,
        change=lambda claims: claims.update(number=number))
    clients[0].dialect.fill(callback, {"jws": message})
    return {"authId": asked.json["authId"], "callbacks": asked.json["callbacks"]}


def listed():
    """Returns the ids of the bound keys, which must be the same at all servers."""
    lists = [{device["_id"] for device in each.devices(user).json["result"]} for each in clients]
    assert all(keys == lists[0] for keys in lists), lists
    return lists[0]


def refused_at_once(answers):
    return [answer for answer in answers if answer.text ==
            '{"code":401,"reason":"Unauthorized","message":"Login failure"}']


origin = "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(clients[0].base))
with open(key_file, encoding="utf-8") as file:
    headers = {"Authorization": "Bearer " + file.read().strip(), "Content-Type": "application/json"}
body = json.dumps({"user": user, "password": password}).encode()
with urllib.request.urlopen(urllib.request.Request(origin + "/v1/passwords", body, headers), timeout=120) as response:
    assert response.status == 200
token = clients[0].log_in(clients[0].begin("login"), user, password).json["tokenId"]
for each in clients:
    each.token = token

# All phones bind at once. Each sends its answer to another server than the one that asked.
with ThreadPoolExecutor(20) as pool:
    asked = list(pool.map(lambda number: client(number + 1).begin("bind-known-two"), range(COUNT)))
keys = [clients[0].dialect.new_key() for _ in asked]
answers = send_at_once([binding_of(*pair) for pair in zip(asked, keys)])
bound = {key.kid: key for key, answer in zip(keys, answers) if answer.is_done}
for answer in answers:
    assert answer.is_done or answer.output("ChoiceCallback", "prompt") == "exceedDeviceLimit", answer.text
assert listed() == set(bound)
questions = [each.begin("bind-known-two", "&ForceAuth=true") for each in clients]
for told in send_at_once([binding_of(question, clients[0].dialect.new_key()) for question in questions]):
    assert told.output("ChoiceCallback", "prompt") == "exceedDeviceLimit", told.text

# One question, and many keys as answers.
question = clients[0].begin("bind-known")
keys = [clients[0].dialect.new_key() for _ in range(COUNT)]
answers = send_at_once([binding_of(copy(question), key) for key in keys])
more = {key.kid for key, answer in zip(keys, answers) if answer.is_done}
assert len(more) + len(refused_at_once(answers)) == COUNT, [answer.text for answer in answers]
assert listed() == set(bound) | more

# One question, and many signatures as answers.
key = next(iter(bound.values()))
for each in clients:
    each.token = None
question = clients[0].begin("usernameless-told")
answers = send_at_once([signing_of(copy(question), key, number) for number in range(COUNT)])
signed = [answer for answer in answers if answer.is_done]
assert len(signed) + len(refused_at_once(answers)) == COUNT, [answer.text for answer in answers]
for each in clients:
    each.token = signed[0].json["tokenId"]
    assert each.session().status == 200
print(f"{len(bound)} of {COUNT} bound, {len(more)} of {COUNT} answers bound a key, {len(signed)} of {COUNT} signed")
