import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// Records of bindings in users' vaults. Later versions must read them in exactly this form.
@Suite("Format of a binding's state")
struct BindingStateFormatTests {
    private static let keys = [
        KeyTag(unchecked: "AAAAAAAAAAAAAAAAAAAAAA"), KeyTag(unchecked: "AQAAAAAAAAAAAAAAAAAAAA"),
    ]
    private static let keysText =
        #""keys":{"device_key":"AAAAAAAAAAAAAAAAAAAAAA","possession_key":"AQAAAAAAAAAAAAAAAAAAAA"}"#
    private static let code = EnrolmentCode("0123456789ABCDEF43J0")
    private static let pendingText =
        #"{"pending":{"_0":{"call_count":1,"code_hash":"BJLJEPMjr2i02Tia8LtFy_qq8QNVzW8vT1EjYg7CdH8","issuer":"https://rp.example/base","#
        + keysText + "}}}"

    @Test("A pending binding continues with its keys")
    func pending() async throws {
        let phone = try await TestPhone()
        let code = try #require(Self.code)
        await phone.relyingParty.accept(code)
        try await phone.open.set(Self.pendingText, named: "nightlatch.device-binding")
        try await phone.open.setAny(SecretBytes.random(byteCount: 32), named: .deviceKeyPassword)
        let keys = try await phone.bind(code).keys
        #expect([keys.deviceKey, keys.possessionKey] == Self.keys)
    }

    @Test("A binding has the device, issuer and user of its record")
    func bound() async throws {
        let phone = try await TestPhone()
        try await phone.open.set(
            #"{"bound":{"_0":{"device":"00112233445566778899aabbccddeeff","issuer":"https://rp.example/base","#
                + Self.keysText + #","user":"alice"}}}"#,
            named: "nightlatch.device-binding")
        let binding = try #require(try await phone.open.deviceBinding())
        #expect(binding.device == DeviceID(unchecked: "00112233445566778899aabbccddeeff"))
        #expect(binding.issuer == phone.relyingParty.issuer)
        #expect(binding.user == UserID(unchecked: "alice"))
        #expect([binding.keys.deviceKey, binding.keys.possessionKey] == Self.keys)
    }

    @Test("A binding that is being removed is finished, and the reason is reported", arguments: [true, false])
    func leaving(isRevoked: Bool) async throws {
        let phone = try await TestPhone()
        _ = try await phone.keys.create(Self.keys[1], access: .unattended)
        try await phone.open.set(
            #"{"leaving":{"_0":{"is_revoked":\#(isRevoked),"# + Self.keysText + "}}}",
            named: "nightlatch.device-binding")
        #expect(try await phone.open.deviceBinding() == nil)
        await #expect(throws: isRevoked ? LoginError.revoked : .notBound) { try await phone.login.logIn(phone.open) }
        #expect(try await phone.keyCount() == 0)
        #expect(try await phone.open.texts() == ["wallet": "seed"])
    }

    @Test("A written state has the documented members")
    func written() async throws {
        let (phone, _) = try await TestPhone.pending()
        func shape() async throws -> Set<String> {
            let text = try #require(try await phone.open.text(named: "nightlatch.device-binding"))
            return Set(
                try JSONTree(StoredRecord(revision: 1, bytes: Array(text.utf8))).paths.map { $0.joined(separator: ".") }
            )
        }
        let keys = ["keys", "keys.device_key", "keys.possession_key"]
        let pending =
            ["pending", "pending._0"]
            + (["begun", "begun.expires_at", "begun.user", "call_count", "code_hash", "issuer"] + keys)
            .map { "pending._0." + $0 }
        #expect(try await shape() == Set(pending))
        try await phone.bind(await phone.relyingParty.issueCode())
        #expect(
            try await shape()
                == Set(["bound", "bound._0"] + (["device", "issuer", "user"] + keys).map { "bound._0." + $0 }))
    }
}
