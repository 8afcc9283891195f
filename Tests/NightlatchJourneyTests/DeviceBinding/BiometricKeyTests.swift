import Nightlatch
import NightlatchJourney
import NightlatchTesting
import Testing

@Suite("Keys that biometrics protect")
struct BiometricKeyTests {
    private let phone = JourneyPhone()

    private func failure<Kind: Callback>(
        _ json: String,
        _ act: (Kind) async -> Result<[String: Any], any Error>
    ) async throws -> DeviceBindingStatus {
        let (callback, _) = try await phone.callback(json, as: Kind.self)
        return try #require(await #expect(throws: DeviceBindingStatus.self) { _ = try await act(callback).get() })
    }

    private func signFailure() async throws -> DeviceBindingStatus {
        try await failure(Callbacks.signing()) { (callback: DeviceSigningVerifierCallback) in await callback.sign() }
    }

    private func bindFailure(_ type: String) async throws -> DeviceBindingStatus {
        try await failure(Callbacks.binding(type)) { (callback: DeviceBindingCallback) in await callback.bind() }
    }

    static let types = ["BIOMETRIC_ONLY", "BIOMETRIC_ALLOW_FALLBACK"]

    @Test("The user is asked when the key is bound and at each signature, with the server's text", arguments: types)
    func words(_ type: String) async throws {
        let key = try await phone.bind(type)
        #expect(key.authType.rawValue == type)
        try await phone.sign()
        #expect(
            phone.allKeyrings.flatMap(\.reasons)
                == Array(repeating: "Please complete with biometric to proceed", count: 2))
        #expect(phone.person.prompts.isEmpty)
    }

    @Test("Each biometric error has its own status", arguments: Self.ends)
    func failures(
        _ error: BiometricError, _ atSigning: DeviceBindingStatus, _ atBinding: DeviceBindingStatus
    ) async throws {
        try await phone.bind("BIOMETRIC_ONLY")
        let keyring = try #require(phone.allKeyrings.first)
        keyring.script(.fails(error))
        #expect(try await signFailure() == atSigning)
        let before = try await phone.possessions()
        phone.failFirstPrompt(of: error)
        #expect(try await bindFailure("BIOMETRIC_ONLY") == atBinding)
        // A failed binding leaves existing keys as they were, and adds nothing.
        #expect(try await phone.possessions() == before)
        try await phone.sign()
    }

    static let ends: [(BiometricError, DeviceBindingStatus, DeviceBindingStatus)] = [
        (.cancelled, .abort, .abort), (.pinChosen, .abort, .abort), (.interrupted, .abort, .abort),
        (.notRecognised, .unAuthorize, .unAuthorize), (.unavailable(.lockedOut), .unAuthorize, .unAuthorize),
        (.unavailable(.notEnrolled), .clientNotRegistered, .unsupported(errorMessage: nil)),
        (.unavailable(.noHardware), .unsupported(errorMessage: nil), .unsupported(errorMessage: nil)),
        (.enrolmentChanged, .clientNotRegistered, .abort), (.corrupt, .clientNotRegistered, .abort),
        (
            .failed(systemStatus: -50), .unsupported(errorMessage: "Biometrics failed with the system's status -50."),
            .unsupported(errorMessage: "Biometrics failed with the system's status -50.")
        ),
    ]

    @Test("A device without available biometrics binds nothing and reports that it is unsupported", arguments: types)
    func unsupported(_ type: String) async throws {
        for availability in BiometricAvailability.allCases where availability != .available {
            phone.set(availability)
            #expect(
                try await bindFailure(type)
                    == (availability == .lockedOut ? .unAuthorize : .unsupported(errorMessage: nil)))
        }
        let plain = JourneyPhone(hasBiometrics: false)
        let (callback, _) = try await plain.callback(Callbacks.binding(type), as: DeviceBindingCallback.self)
        let status = await #expect(throws: DeviceBindingStatus.self) { _ = try await callback.bind().get() }
        #expect(status == .unsupported(errorMessage: nil))
        #expect(try await plain.possessions() == JourneyPhone.Possessions())
    }

    @Test("After the biometric enrolment changes, the server learns that there is no key, and a new binding works")
    func enrolment() async throws {
        try await phone.bind("BIOMETRIC_ONLY")
        for keyring in phone.allKeyrings { keyring.changeEnrolment() }
        #expect(try await signFailure() == .clientNotRegistered)
        try await phone.bind("BIOMETRIC_ONLY")
        try await phone.sign()
        #expect(try await phone.possessions() == JourneyPhone.Possessions(keys: 1, biometricKeys: 1))
    }

    @Test("A key that the passcode also releases is kept when no biometrics are enrolled")
    func passcode() async throws {
        try await phone.bind("BIOMETRIC_ALLOW_FALLBACK")
        phone.allKeyrings.first?.script(.fails(.unavailable(.notEnrolled)))
        #expect(try await signFailure() == .unsupported(errorMessage: nil))
        try await phone.sign()
    }

    @Test("A key whose keyring the app no longer supplies waits for deletion, and does not block others")
    func withoutKeyring() async throws {
        let key = try await phone.bind("BIOMETRIC_ONLY")
        let bare = phone.environment(bringsKeyrings: false)
        let journey = phone.journey { $0.deviceBinding = bare }
        let list = try #require(journey.userKeys)
        await #expect(throws: UserKeyError.unsupported) { try await list.deleteKey(key) }
        #expect(try await list.getAllKeys().isEmpty)
        phone.server.script(.ask(Callbacks.binding(user: "bob")), .success)
        let node = try #require(await journey.start("Bind") as? ContinueNode)
        _ = try await (node.callbacks.first as? DeviceBindingCallback)?.bind().get()
        #expect(await node.next() is SuccessNode)
        #expect(try await phone.possessions() == JourneyPhone.Possessions(keys: 1, biometricKeys: 1))
        try await phone.bind(user: "carol")
        #expect(try await phone.possessions() == JourneyPhone.Possessions(keys: 2))
    }
}
