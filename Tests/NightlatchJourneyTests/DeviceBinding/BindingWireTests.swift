import Foundation
import Nightlatch
import NightlatchJourney
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Device callbacks on the wire")
struct BindingWireTests {
    private let phone = JourneyPhone()

    @Test("A bound callback is sent back unchanged except for message, device name and device id")
    func binding() async throws {
        let (callback, node) = try await phone.callback(Callbacks.binding(), as: DeviceBindingCallback.self)
        #expect(callback.userId == Callbacks.userID)
        #expect(callback.userName == "gbafal")
        #expect(callback.timeout == 60)
        #expect(callback.attestation == .challenge(Callbacks.bindingChallenge))
        let json = try await callback.bind { $0.deviceName = "Alice’s phone" }.get()
        #expect((json["input"] as? [[String: Any]])?.count == 4)
        let message = try SentMessage(server: callback)
        let inputs = try #require(json["input"] as? [[String: Any]])
        let deviceID = try #require(inputs[2]["value"] as? String)
        #expect(deviceID.count == 64)
        phone.server.script(.success)
        _ = await node.next()
        let sent = Callbacks.binding(jws: message.text, deviceName: "Alice’s phone", deviceID: deviceID)
        #expect(phone.server.lastBody == #"{"authId":"eyJ.a.b","callbacks":[\#(sent)]}"#)
    }

    @Test("Without a timeout from the server, a binding has 60 seconds and a signature 30")
    func defaultTimeouts() async throws {
        let timeout = #"{"name":"timeout","value":60}"#
        let start = Int(JourneyPhone.start.timeIntervalSince1970)
        let (binding, node) = try await phone.callback(
            Callbacks.binding().replacing(timeout + ",", with: ""), as: DeviceBindingCallback.self)
        #expect(binding.timeout == 60)
        _ = try await binding.bind().get()
        #expect(try SentMessage(server: binding).claims["exp"] as? Int == start + 60)
        phone.server.script(.success)
        _ = await node.next()
        let (signing, _) = try await phone.callback(
            Callbacks.signing().replacing("," + timeout, with: ""), as: DeviceSigningVerifierCallback.self)
        #expect(signing.timeout == 30)
        _ = try await signing.sign().get()
        #expect(try SentMessage(server: signing).claims["exp"] as? Int == start + 30)
    }

    @Test("The message that binds contains the public key and the claims that servers check")
    func bindingMessage() async throws {
        let (callback, _) = try await phone.callback(Callbacks.binding(timeout: 45), as: DeviceBindingCallback.self)
        _ = try await callback.bind().get()
        let message = try SentMessage(server: callback)
        #expect(Set(message.header.keys) == ["alg", "kid", "typ", "jwk"])
        #expect(message.header["alg"] as? String == "ES256")
        #expect(message.header["typ"] as? String == "JWS")
        #expect(UUID(uuidString: message.keyID)?.uuidString == message.keyID)
        let jwk = try #require(message.header["jwk"] as? [String: Any])
        #expect(Set(jwk.keys) == ["kty", "crv", "x", "y", "use", "alg", "kid"])
        #expect(jwk["kty"] as? String == "EC")
        #expect(jwk["use"] as? String == "sig")
        #expect(jwk["kid"] as? String == message.keyID)
        #expect(message.isSignedByItsKey)
        let now = Int(JourneyPhone.start.timeIntervalSince1970)
        #expect(message.claims["sub"] as? String == Callbacks.userID)
        #expect(message.claims["iss"] as? String == "com.example.app")
        #expect(message.claims["challenge"] as? String == Callbacks.bindingChallenge)
        #expect(message.claims["iat"] as? Int == now)
        #expect(message.claims["nbf"] as? Int == now)
        #expect(message.claims["exp"] as? Int == now + 45)
        #expect(message.claims["platform"] as? String == "ios")
        #expect(message.claims.count == 7)
    }

    @Test("A signed callback is sent back unchanged except for the message, which the bound key signs")
    func signing() async throws {
        let (first, node) = try await phone.callback(Callbacks.binding(), as: DeviceBindingCallback.self)
        _ = try await first.bind().get()
        let bound = try SentMessage(server: first)
        phone.server.script(.success)
        _ = await node.next()
        let challenge = "Pay 100 € to “Night Train”"
        let (callback, step) = try await phone.callback(
            Callbacks.signing(challenge: challenge), as: DeviceSigningVerifierCallback.self)
        _ = try await callback.sign().get()
        let message = try SentMessage(server: callback)
        #expect(Set(message.header.keys) == ["alg", "kid", "typ"])
        #expect(message.keyID == bound.keyID)
        #expect(message.claims["challenge"] as? String == challenge)
        let jwk = try #require(bound.header["jwk"] as? [String: String])
        #expect(message.isSigned(by: SentMessage.coordinates(jwk)))
        phone.server.script(.success)
        _ = await step.next()
        let sent = Callbacks.signing(challenge: challenge, jws: message.text)
        #expect(phone.server.lastBody == #"{"authId":"eyJ.a.b","callbacks":[\#(sent)]}"#)
    }

    @Test("Inputs are found by name, at any position on a page and in any order")
    func inputNames() async throws {
        let page = Callbacks.binding()
            .replacing("IDToken1", with: "IDToken12")
            .replacing(
                #"{"name":"IDToken12jws","value":""},{"name":"IDToken12deviceName","value":""}"#,
                with: #"{"name":"IDToken12deviceName","value":""},{"name":"IDToken12jws","value":""}"#)
        let (callback, _) = try await phone.callback(page, as: DeviceBindingCallback.self)
        let json = try await callback.bind().get()
        let inputs = try #require(json["input"] as? [[String: String]])
        #expect(inputs[0]["value"] == "Phone")
        #expect(try SentMessage(inputs[1]["value"] ?? "").isSignedByItsKey)
    }

    @Test("Every binding has its own key name, whatever tag the app gives, and the device has one id")
    func keyNames() async throws {
        var names: Set<String> = []
        var devices: Set<String> = []
        for user in ["alice", "bob"] {
            let (callback, node) = try await phone.callback(
                Callbacks.binding(user: user), as: DeviceBindingCallback.self)
            let json = try await callback.bind {
                $0.deviceAuthenticator = AppPinAuthenticator(config: AppPinConfig(keyTag: "my-key"))
                phone.person.type(.pin("295038"))
            }.get()
            let message = try SentMessage(server: callback)
            #expect(!message.text.contains("my-key"))
            names.insert(message.keyID)
            devices.insert((json["input"] as? [[String: String]])?[2]["value"] ?? "")
            phone.server.script(.success)
            _ = await node.next()
        }
        #expect(names.count == 2)
        #expect(devices.count == 1)
        #expect(try await phone.keys().map(\.keyTag) == ["my-key", "my-key"])
    }

    @Test("The signature covers an app's claims, which can be any JSON", arguments: [true, false])
    func claims(isBinding: Bool) async throws {
        try await phone.bind()
        let set = { (config: DeviceBindingConfig) in
            config.claims = ["amount": "100.00", "count": 3, "rate": 1.5, "isGift": true, "items": ["a", ["b": 1]]]
        }
        let message: SentMessage
        if isBinding {
            let (callback, _) = try await phone.callback(Callbacks.binding(), as: DeviceBindingCallback.self)
            _ = try await callback.bind(config: set).get()
            message = try SentMessage(server: callback)
        } else {
            let (callback, _) = try await phone.callback(Callbacks.signing(), as: DeviceSigningVerifierCallback.self)
            _ = try await callback.sign(config: set).get()
            message = try SentMessage(server: callback)
        }
        #expect(message.claims["amount"] as? String == "100.00")
        #expect(message.claims["count"] as? Int == 3)
        #expect(message.claims["rate"] as? Double == 1.5)
        #expect(message.claims["isGift"] as? Bool == true)
        #expect((message.claims["items"] as? [Any])?.count == 2)
        #expect(message.claims["sub"] as? String == Callbacks.userID)
    }

    @Test(
        "Foundation numbers are signed exactly: 1 does not become true, and no digit is lost",
        arguments: [
            (.number(NSNumber(value: 0)), "0"), (.number(NSNumber(value: 1)), "1"),
            (.number(NSNumber(value: 5)), "5"), (.number(NSNumber(value: Int8(1))), "1"),
            (.number(NSNumber(value: true)), "true"), (.number(NSNumber(value: false)), "false"),
            (.number(NSNumber(value: 9_007_199_254_740_993)), "9007199254740993"),
            (.number(NSNumber(value: UInt64.max)), "18446744073709551615"), (.number(NSNumber(value: 1.5)), "1.5"),
            (.number(NSDecimalNumber(string: "0.10000000000000000001")), "0.10000000000000000001"),
            (.decimal("12345678901234567890.1"), "12345678901234567890.1"), (.number(NSNumber(value: Double.nan)), nil),
            (.number(NSNumber(value: Double.infinity)), nil), (.decimal("NaN"), nil),
        ] as [(NumberClaim, String?)])
    func numbers(claim: NumberClaim, text: String?) async throws {
        try await phone.bind()
        let (callback, _) = try await phone.callback(Callbacks.signing(), as: DeviceSigningVerifierCallback.self)
        let result = await callback.sign { $0.claims = ["quantity": claim.value, "list": [claim.value]] }
        guard let text else {
            #expect(throws: DeviceBindingStatus.invalidCustomClaims) { try result.get() }
            return
        }
        _ = try result.get()
        let payload = try SentMessage(server: callback).text.split(separator: ".")[1]
        let signed = String(decoding: try #require(Base64URL.decode(payload)), as: UTF8.self)
        #expect(signed.contains(#""quantity":\#(text)"#), "\(signed)")
        #expect(signed.contains(#""list":[\#(text)]"#), "\(signed)")
    }

    /// A number in a form that an app may pass.
    enum NumberClaim: Sendable {
        // `NSNumber` is immutable.
        case number(NSNumber)
        case decimal(String)

        var value: Any {
            switch self {
            case .number(let number): number
            case .decimal(let text): Decimal(string: text) ?? .nan
            }
        }
    }

    @Test("A date without a numeric value does not crash the process", arguments: [Double.infinity, -.infinity, .nan])
    func noDate(_ seconds: Double) async throws {
        let (callback, _) = try await phone.callback(Callbacks.binding(), as: DeviceBindingCallback.self)
        let result = await callback.bind { $0.expirationTime = { _ in Date(timeIntervalSince1970: seconds) } }
        _ = try result.get()
        let expiry = try #require(try SentMessage(server: callback).claims["exp"] as? Int)
        #expect(abs(expiry - Int(JourneyPhone.start.timeIntervalSince1970)) > 10_000_000_000)
    }

    @Test(
        "Reserved claims are refused by name, before a key or a message is made",
        arguments: ["sub", "exp", "iat", "nbf", "iss", "challenge"])
    func reservedClaims(_ name: String) async throws {
        let (callback, node) = try await phone.callback(Callbacks.binding(), as: DeviceBindingCallback.self)
        let status = await #expect(throws: DeviceBindingStatus.self) {
            _ = try await callback.bind { $0.claims = [name: "x"] }.get()
        }
        #expect(status == .invalidCustomClaims)
        #expect(try await phone.possessions() == JourneyPhone.Possessions())
        phone.server.script(.refusal)
        _ = await node.next()
        #expect(
            phone.server.lastBody == #"{"authId":"eyJ.a.b","callbacks":[\#(Callbacks.binding(clientError: "Abort"))]}"#)
    }

    @Test("Claims that are not JSON, or are too large, are refused")
    func impossibleClaims() async throws {
        try await phone.bind()
        let (callback, _) = try await phone.callback(Callbacks.signing(), as: DeviceSigningVerifierCallback.self)
        for claims: [String: Any] in [
            ["when": Date()], ["number": Double.nan], ["long": String(repeating: "x", count: 9000)],
        ] {
            let status = await #expect(throws: DeviceBindingStatus.self) {
                _ = try await callback.sign { $0.claims = claims }.get()
            }
            #expect(status == .invalidCustomClaims)
        }
    }
}
