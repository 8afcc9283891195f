import Nightlatch
import NightlatchTesting
import Testing

/// A record as it was written once: whatever changes, what lies on people's devices must open.
@Suite("Vault record, format 1")
struct VaultRecordFormatTests {
    private static let record = """
        {"format":1,"ledger":{"charged_attempt":"eQY3shha9NWNy9_9jdizyA","clock_ms":3600000,"failures":1,"wait_ms":0\
        },"revision":5,"sealed":{"content":{"epoch":1,"generation":4,"items":{"wallet":"3MFMoypoJi-oD2fz2niCcnMIy0an\
        fYS0CPBq-kiuyU8"},"mac":"TFJfk4sgS_eWn98T7jyrC4kgePlClUYxbkTOE_56VqI","recipients":{"biometrics":{"key":"fir\
        st","public_key":"BDLa9eA7fHHPlWkyj-YpzHzlgFVKG_5gKrhC9GcurFG9eZjes-vsXaJMf69wmPWDIZ8ukpe1yphV0rYpGTrWst8"},\
        "recovery":"D1QLjF0-h_U3GU9dEaut-YRo_aaMjs_tOSp6y-lBvnI"}},"slots":{"biometrics":{"ciphertext":"z7UdpxmnUvQR\
        ba8ErXjAieMMiDwQNnwJwcAPIqYKAn29Bd3PWIuUwFRACs4Giel2","encapsulated_key":"BILjTbjlkzuDN74PWf0nCunpVaKOaeHS7x\
        22eenyTn8k_Xx-FX1jIKo5lPY5CqwcbKvyBx2zVbXRov_4iD8vvoU"},"pin":{"box":"mr4TEyU3z72LmZPdJH2cY9uhsRA_ItQ1ZYKJwG\
        1RVAi39GYSpuIXEwt_em-YztuRBeClfrqen20ZoQxc","key_derivation":{"algorithm":"pbkdf2-hmac-sha256","iterations":\
        1},"salt":"nMZNpdg9NaKUnvl7zx281cckT3BQ-7xci-y0RWPQnV4"},"recovery":{"ciphertext":"aRsVClI-KBzXcMo3_2J3So2c-\
        sUUAdTCp8jmMZO60cnP6mkjdzyyPXIcxUM7uYa9","encapsulated_key":"opl6ZsHZP8v2SQpZM021S_JXlRduseRi64-j1AW663g"}}}\
        ,"vault_id":"ECbo2zjYN21rh5UD0VTQnQ"}
        """

    @Test("It opens with its PIN and holds its secret")
    func opens() async throws {
        let store = MemoryStore()
        store.plant(StoredRecord(revision: 5, bytes: Array(Self.record.utf8)))
        let vault = Vault.forTests(store)
        #expect(try await vault.state() == .ready(triesLeft: 9))
        #expect(try await vault.unlock(TestPin.right).texts() == ["wallet": "seed"])
        #expect(try await store.json()["revision"] == .unsigned(7))
    }

    @Test("It opens with no other PIN, and a new record has the same members")
    func members() async throws {
        let store = MemoryStore()
        store.plant(StoredRecord(revision: 5, bytes: Array(Self.record.utf8)))
        let frozen = try await store.json()
        await #expect(throws: UnlockError.refused(.wrong(triesLeft: 8, wait: nil))) {
            try await Vault.forTests(store).unlock(TestPin.wrong)
        }
        let fresh = MemoryStore()
        let vault = Vault.forTests(fresh, biometrics: ScriptedBiometrics())
        let open = try await vault.create(TestPin.right)
        try await open.set("seed", named: "wallet")
        try await open.setUpBiometrics()
        try await open.setUpRecovery(TestPhrase.right)
        await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
        #expect(try await fresh.json().paths == frozen.paths)
    }

    @Test("It opens with its recovery phrase")
    func recovery() async throws {
        let store = MemoryStore()
        store.plant(StoredRecord(revision: 5, bytes: Array(Self.record.utf8)))
        let open = try await Vault.forTests(store).recover(TestPhrase.right, newPin: TestPin.new)
        #expect(try await open.texts() == ["wallet": "seed"])
    }

    @Test("PV4: Python, which knows nothing of this code, opens it with the PIN and finds the MAC right")
    func python() throws {
        let output = try Python.run(
            Self.opener, input: [Self.record, TestPin.right, TestPin.wrong].joined(separator: "\n"))
        #expect(output == "{'wallet': b'seed'} True; wrong PIN\n")
    }

    private static let opener = """
        import sys, json, hashlib, hmac
        from base64 import urlsafe_b64decode
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF
        number = lambda value: value.to_bytes(8, "big")
        data = lambda text: urlsafe_b64decode(text + "=" * (-len(text) % 4))
        compact = lambda value: json.dumps(value, separators=(",", ":"), sort_keys=True).encode()
        def parts(*items):
            encoded = [item.encode() if isinstance(item, str) else item for item in items]
            return b"".join(len(item).to_bytes(4, "big") + item for item in encoded)
        def derive(key, info, salt=None):
            return HKDF(SHA256(), 32, salt, info).derive(key)
        def unseal(box, key, info):
            return AESGCM(key).decrypt(box[:12], box[12:], info)
        record_text, right, wrong = sys.stdin.read().split("\\n")
        record = json.loads(record_text)
        vault, content, slot = record["vault_id"], record["sealed"]["content"], record["sealed"]["slots"]["pin"]
        def open_with(pin):
            parameters = slot["key_derivation"]
            info = parts("nightlatch slot", number(1), vault, "pin", number(content["epoch"]), compact(parameters))
            stretched = hashlib.pbkdf2_hmac("sha256", pin.encode(), data(slot["salt"]), parameters["iterations"])
            key = unseal(data(slot["box"]), derive(stretched, info, data(slot["salt"])), info)
            items = {}
            for name, box in content["items"].items():
                item_key = derive(key, parts("nightlatch vault item key", name))
                items[name] = unseal(data(box), item_key, parts("nightlatch vault item", number(1), vault, name))
            said = parts(
                "nightlatch vault content", number(1), vault, number(content["epoch"]), number(content["generation"]),
                compact(content["recipients"]), *[part for name in sorted(content["items"])
                    for part in (name, data(content["items"][name]))])
            mac = hmac.new(derive(key, parts("nightlatch vault mac")), said, "sha256").digest()
            return items, mac == data(content["mac"])
        print(*open_with(right), end="; ")
        try:
            print(open_with(wrong))
        except InvalidTag:
            print("wrong PIN")
        """
}
