import Foundation
import Nightlatch
import NightlatchJourney
import NightlatchTesting
import Testing

@Suite("Refusals of a device callback")
struct BindingRefusalTests {
    private let phone = JourneyPhone()

    /// Binds with a callback, and expects an error.
    private func failure(
        _ json: String,
        _ config: (DeviceBindingConfig) -> Void = { _ in }
    ) async throws -> (status: DeviceBindingStatus, sent: String) {
        let (callback, node) = try await phone.callback(json, as: DeviceBindingCallback.self)
        let status = try #require(
            await #expect(throws: DeviceBindingStatus.self) { _ = try await callback.bind(config: config).get() })
        phone.server.script(.refusal)
        _ = await node.next()
        return (status, phone.server.lastBody)
    }

    @Test(
        "An unknown protection is an error, and does not mean no protection",
        arguments: ["", "none", "BIOMETRIC", "NONE ", "APPLICATION_PASSWORD"])
    func unknownType(_ type: String) async throws {
        let (callback, _) = try await phone.callback(Callbacks.binding(type), as: DeviceBindingCallback.self)
        #expect(callback.deviceBindingAuthenticationType == .unknown)
        let (status, sent) = try await failure(Callbacks.binding(type))
        #expect(status.clientError == "Unsupported")
        #expect(sent.contains(#""name":"IDToken1clientError","value":"Unsupported""#))
        #expect(sent.contains(#""name":"IDToken1jws","value":"""#))
        #expect(try await phone.possessions() == JourneyPhone.Possessions())
    }

    @Test(
        "A key never has a weaker protection than the server requests",
        arguments: DeviceBindingAuthenticationType.allCases, DeviceBindingAuthenticationType.allCases)
    func weaker(_ asked: DeviceBindingAuthenticationType, _ given: DeviceBindingAuthenticationType) async throws {
        let isEnough =
            switch (asked, given) {
            case (.unknown, _), (_, .unknown): false
            case (.none, _), (.biometricOnly, .biometricOnly), (.applicationPin, .applicationPin),
                (.biometricAllowFallback, .biometricOnly), (.biometricAllowFallback, .biometricAllowFallback):
                true
            default: false
            }
        phone.person.type(.pin("295038"))
        let (callback, node) = try await phone.callback(
            Callbacks.binding(asked.rawValue), as: DeviceBindingCallback.self)
        let result = await callback.bind { $0.deviceAuthenticator = ChosenAuthenticator(chosen: given) }
        phone.server.script(.success)
        _ = await node.next()
        if isEnough {
            _ = try result.get()
            #expect(try await phone.keys().map(\.authType) == [given])
        } else {
            let status = #expect(throws: DeviceBindingStatus.self) { _ = try result.get() }
            #expect(status?.clientError == "Unsupported")
            #expect(try await phone.keys().isEmpty)
        }
    }

    @Test("No key is created if the app's authenticator says that it is not supported")
    func unsupportedAuthenticator() async throws {
        let (status, _) = try await failure(Callbacks.binding()) {
            $0.deviceAuthenticator = ChosenAuthenticator(chosen: .none, supported: false)
        }
        #expect(status == .unsupported(errorMessage: nil))
        #expect(try await phone.possessions() == JourneyPhone.Possessions())
    }

    @Test("A callback without a user, a challenge or an input for the answer binds nothing")
    func incomplete() async throws {
        for part in [Callbacks.userID, Callbacks.bindingChallenge] {
            let (status, _) = try await failure(Callbacks.binding().replacing(part, with: ""))
            #expect(status == .unsupported(errorMessage: "The callback is not complete."))
        }
        let (status, sent) = try await failure(
            Callbacks.binding().replacing(#"{"name":"IDToken1deviceId","value":""},"#, with: ""))
        #expect(status == .unsupported(errorMessage: "The callback is not complete."))
        #expect(sent.contains(#""name":"IDToken1jws","value":"""#))
        #expect(try await phone.possessions() == JourneyPhone.Possessions())
    }

    @Test("A user name over the maximum length is refused, and no key is kept for it")
    func tooLong() async throws {
        let (status, _) = try await failure(Callbacks.binding(user: String(repeating: "x", count: 1025)))
        #expect(status.clientError == "Unsupported")
        #expect(try await phone.registry.read() == nil)
    }

    @Test("Without device binding or a user interface, the server gets the client error Unsupported")
    func nothingSetUp() async throws {
        phone.server.script(.ask(Callbacks.binding()))
        let journey = phone.journey { $0.deviceBinding = nil }
        let node = try #require(await journey.start("Bind") as? ContinueNode)
        let callback = try #require(node.callbacks.first as? DeviceBindingCallback)
        let status = await #expect(throws: DeviceBindingStatus.self) { _ = try await callback.bind().get() }
        #expect(status?.clientError == "Unsupported")
        #expect(journey.userKeys == nil)
    }

    @Test("Each status has the text and the client error that servers and apps know", arguments: Self.words)
    func statuses(_ status: DeviceBindingStatus, _ clientError: String, _ message: String) {
        #expect(status.clientError == clientError)
        #expect(status.errorMessage == message)
        #expect(status.localizedDescription == message)
    }

    static let words: [(DeviceBindingStatus, String, String)] = [
        (.timeout, "Timeout", "Authentication Timeout"), (.abort, "Abort", "User Terminates the Authentication"),
        (
            .unsupported(errorMessage: nil), "Unsupported",
            "Device not supported. Please verify the biometric or Pin settings"
        ),
        (.unsupported(errorMessage: "why"), "Unsupported", "why"),
        (.clientNotRegistered, "ClientNotRegistered", "PublicKey or PrivateKey Not found in Device"),
        (.unAuthorize, "Abort", "Invalid Credentials"), (.invalidCustomClaims, "Abort", "Invalid Custom Claims"),
    ]

    @Test("An app can set its own client error, which removes the signed message")
    func ownReason() async throws {
        try await phone.bind()
        let (callback, node) = try await phone.callback(Callbacks.signing(), as: DeviceSigningVerifierCallback.self)
        _ = try await callback.sign().get()
        callback.setClientError("Custom")
        phone.server.script(.success)
        _ = await node.next()
        #expect(
            phone.server.lastBody == #"{"authId":"eyJ.a.b","callbacks":[\#(Callbacks.signing(clientError: "Custom"))]}"#
        )
    }

    @Test("A second call replaces the answer and the error of the first", arguments: [true, false])
    func again(isFirstRight: Bool) async throws {
        let (callback, node) = try await phone.callback(Callbacks.binding(), as: DeviceBindingCallback.self)
        let wrong = { (config: DeviceBindingConfig) in config.claims = ["sub": "x"] }
        if isFirstRight {
            _ = try await callback.bind().get()
            await callback.bind(config: wrong)
        } else {
            await callback.bind(config: wrong)
            _ = try await callback.bind().get()
        }
        phone.server.script(.success)
        _ = await node.next()
        #expect(phone.server.lastBody.contains("Abort") == isFirstRight)
        #expect(phone.server.lastBody.contains(#"jws","value":"ey"#) != isFirstRight)
        #expect(try await phone.keys().count == (isFirstRight ? 0 : 1))
    }
}

/// An authenticator that an app has written.
private struct ChosenAuthenticator: DeviceAuthenticator {
    let chosen: DeviceBindingAuthenticationType
    var supported = true

    func type() -> DeviceBindingAuthenticationType { chosen }
    func isSupported(attestation: Attestation) -> Bool { supported }
}
