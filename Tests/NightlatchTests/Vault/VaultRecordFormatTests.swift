import Nightlatch
import NightlatchTesting
import Testing

/// A stored record: vaults on users' devices must open in every later version.
@Suite("Vault record, format 1")
struct VaultRecordFormatTests {
    @Test("The record opens with its PIN and contains its secret")
    func opens() async throws {
        let store = FirstFormat.store()
        let vault = Vault.forTests(store)
        #expect(try await vault.state() == .ready(triesLeft: 9))
        #expect(try await vault.unlock(TestPin.right).texts() == ["wallet": "seed"])
        // Charged, settled, and sealed again in the newest format in two writes.
        #expect(try await store.json()["revision"] == .unsigned(9))
    }

    @Test("The record opens with no other PIN")
    func wrongPin() async throws {
        let store = FirstFormat.store()
        await #expect(throws: UnlockError.refused(.wrong(triesLeft: 8, wait: nil))) {
            try await Vault.forTests(store).unlock(TestPin.wrong)
        }
    }

    @Test("The record opens with its phrase after the user accepts that its owner is not authenticated")
    func recovery() async throws {
        let store = FirstFormat.store()
        let before = try await store.read()
        await #expect(throws: RecoveryError.unauthenticated) {
            try await Vault.forTests(store).recover(TestPhrase.right, newPin: TestPin.new)
        }
        #expect(try await store.read() == before)
        let open = try await Vault.forTests(store).recover(
            TestPhrase.right, newPin: TestPin.new, acceptingUnauthenticated: true)
        #expect(try await open.texts() == ["wallet": "seed"])
    }

    #if os(Linux) || os(macOS)
    @Test("Python, which shares no code with ours, opens the record with the PIN and confirms the MAC")
    func python() throws {
        let output = try Python.run(
            Self.opener, input: [FirstFormat.record, TestPin.right, TestPin.wrong].joined(separator: "\n"))
        #expect(output == "{'wallet': b'seed'} True; wrong PIN\n")
    }
    #endif

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
