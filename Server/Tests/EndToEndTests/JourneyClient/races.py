"""Many at once. Usage: races.py DIALECT URL REALM USER PASSWORD"""

import sys
from concurrent.futures import ThreadPoolExecutor

from journeyclient import IOS, Client

base, realm, user, password = sys.argv[2:6]
client = Client(base, realm, IOS())
user_id = f"id={user},ou=user,o={realm},ou=services,ou=am-config"

asked = [client.log_in(client.begin("bind-two"), user, password) for _ in range(200)]
keys = [client.dialect.new_key() for _ in asked]
with ThreadPoolExecutor(50) as pool:
    answers = list(pool.map(lambda pair: client.bind(*pair), zip(asked, keys)))
bound = [key for key, answer in zip(keys, answers) if answer.is_done]
for answer in answers:
    assert answer.is_done or answer.output("ChoiceCallback", "prompt") == "exceedDeviceLimit", answer.text
client.token = next(answer.json["tokenId"] for answer in answers if answer.is_done)
listed = client.devices(user).json["result"]
assert {device["_id"] for device in listed} == {key.kid for key in bound}
client.token = None
again = client.log_in(client.begin("bind-two"), user, password)
assert again.output("ChoiceCallback", "prompt") == "exceedDeviceLimit", "told before a key is made"

question = client.begin("usernameless-told")
with ThreadPoolExecutor(50) as pool:
    answers = list(pool.map(lambda _: client.sign(question, bound[0], user_id), range(50)))
assert all(answer.is_done or answer.status == 401 for answer in answers)
print(f"{len(bound)} of {len(asked)} bound, {sum(answer.is_done for answer in answers)} of {len(answers)} answered")
