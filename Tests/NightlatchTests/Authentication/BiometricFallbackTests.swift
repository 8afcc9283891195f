import Crypto
import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Biometrics with fallback to the PIN")
struct BiometricFallbackTests {
    private let reason = "Show the balance"

    static let failures: [BiometricError] =
        [.cancelled, .pinChosen, .notRecognised, .enrolmentChanged, .interrupted, .corrupt, .failed(systemStatus: -50)]
        + BiometricAvailability.allCases.filter { $0 != .available }.map(BiometricError.unavailable)

    @Test("Preferred biometrics come first, show the reason, and open the vault without the PIN")
    func recognised() async throws {
        let device = SharedDevice()
        let profile = try await device.registerWithBiometrics()
        let person = ScriptedPerson()
        let result = try await device.auth(profile, person).unlock(reason: reason)
        #expect(result.ending == .unlocked(.biometrics))
        #expect(result.events.isEmpty)
        #expect(try await result.open?.names() == [])
        #expect(device.biometrics(of: profile.id).reasons == [reason])
        #expect(person.enterings.isEmpty)
    }

    @Test("After any biometric error the PIN is asked for, with the error, and opens the vault", arguments: failures)
    func fallback(failure: BiometricError) async throws {
        let device = SharedDevice()
        let profile = try await device.registerWithBiometrics()
        device.biometrics(of: profile.id).script(.fails(failure))
        let person = ScriptedPerson(entering: [.pin(TestPin.right)])
        let result = try await device.auth(profile, person).unlock(reason: reason)
        #expect(result.ending == .unlocked(.pin))
        #expect(person.enterings.map(\.biometricFailure) == [failure])
        #expect(person.enterings.map(\.attempts.failureCount) == [0])
        let isChoice = [.cancelled, .pinChosen].contains(failure)
        #expect(result.events == (isChoice ? [] : [.biometricsFailed(failure)]))
        #expect(result.hasEnrolmentChanged == (failure == .enrolmentChanged))
        #expect(person.enterings.map(\.offersBiometrics) == [![.enrolmentChanged, .corrupt].contains(failure)])
        #expect(device.biometrics(of: profile.id).reasons == [reason])
    }

    @Test(
        "Unlocking works in any state of the system's biometrics and passcode, and in any order",
        arguments: BiometricAvailability.allCases, AuthenticatorOrder.allCases)
    func anyState(availability: BiometricAvailability, order: AuthenticatorOrder) async throws {
        let device = SharedDevice()
        let profile = try await device.registerWithBiometrics()
        device.biometrics(of: profile.id).set(availability)
        let person = ScriptedPerson(entering: [.pin(TestPin.right)])
        let auth = device.auth(profile, person, LocalAuthConfiguration(order: order))
        let result = try await auth.unlock(reason: reason)
        let asksFirst = [.preferred, .biometricsFirst].contains(order)
        if availability == .available, asksFirst {
            #expect(result.ending == .unlocked(.biometrics))
            #expect(person.enterings.isEmpty)
        } else {
            #expect(result.ending == .unlocked(.pin))
            #expect(person.enterings.count == 1)
            #expect(person.enterings.map(\.offersBiometrics) == [availability == .available && order != .pinOnly])
            #expect(result.events == (asksFirst ? [.biometricsFailed(.unavailable(availability))] : []))
            #expect(device.biometrics(of: profile.id).reasons.isEmpty)
        }
    }

    @Test(
        "The app's order overrides the user's preference", arguments: AuthenticatorOrder.allCases,
        Authenticator.allCases)
    func order(order: AuthenticatorOrder, preference: Authenticator) async throws {
        let device = SharedDevice()
        let profile = try await device.registerWithBiometrics()
        try await device.profiles.setPreferredAuthenticator(preference, for: profile.id)
        let person = ScriptedPerson(entering: [.pin(TestPin.right)])
        let result = try await device.auth(profile, person, LocalAuthConfiguration(order: order))
            .unlock(reason: reason)
        let expected: Authenticator =
            switch order {
            case .preferred: preference
            case .biometricsFirst: .biometrics
            case .pinFirst, .pinOnly: .pin
            }
        #expect(result.ending == .unlocked(expected))
        #expect(person.enterings.count == (expected == .pin ? 1 : 0))
    }

    @Test("Without biometrics, or without a keyring, the PIN is asked for without an error")
    func notSetUp() async throws {
        let device = SharedDevice()
        let alice = try await device.register().profile
        let bob = try await device.registerWithBiometrics()
        let withoutKeyring = Profiles(registry: device.registry, deviceKeys: nil, remembersPinLengths: true) {
            profile in
            .forTests(device.vaultStore(of: profile.id))
        }
        for (profile, profiles) in [(alice, device.profiles), (bob, withoutKeyring)] {
            let person = ScriptedPerson(entering: [.pin(TestPin.right)])
            let auth = LocalAuthService(
                profile: profile.id, in: profiles, prompt: person,
                configuration: LocalAuthConfiguration(order: .biometricsFirst))
            let result = try await auth.unlock(reason: reason)
            #expect(result.ending == .unlocked(.pin))
            #expect(result.events.isEmpty)
            #expect(person.enterings.map(\.biometricFailure) == [nil])
            #expect(person.enterings.map(\.offersBiometrics) == [false])
        }
        #expect(device.biometrics(of: bob.id).reasons.isEmpty)
    }

    @Test("Cancelling biometrics leads to the PIN, and cancelling the PIN cancels; an app can end at the first cancel")
    func cancelled() async throws {
        let device = SharedDevice()
        let profile = try await device.registerWithBiometrics()
        for after in CancelledBiometrics.allCases {
            device.biometrics(of: profile.id).script(.fails(.cancelled))
            let person = ScriptedPerson(entering: [.cancel])
            let configuration = LocalAuthConfiguration(cancelledBiometrics: after)
            let result = try await device.auth(profile, person, configuration).unlock(reason: reason)
            #expect(result.ending == .cancelled)
            #expect(result.events.isEmpty)
            #expect(person.enterings.count == (after == .askForPin ? 1 : 0))
        }
        #expect(try await device.profiles.vault(of: profile).state() == .ready(triesLeft: 10))
    }

    @Test("Every biometric error but a cancel leads to the PIN, even if the app ends at a cancel", arguments: failures)
    func cancelEnds(failure: BiometricError) async throws {
        let device = SharedDevice()
        let profile = try await device.registerWithBiometrics()
        device.biometrics(of: profile.id).script(.fails(failure))
        let person = ScriptedPerson(entering: [.pin(TestPin.right)])
        let result = try await device.auth(profile, person, LocalAuthConfiguration(cancelledBiometrics: .end))
            .unlock(reason: reason)
        #expect(result.ending == (failure == .cancelled ? .cancelled : .unlocked(.pin)))
    }

    @Test("Biometrics whose key does not open the vault, as with a planted slot, lead to the PIN")
    func plantedSlot() async throws {
        let device = SharedDevice()
        let profile = try await device.registerWithBiometrics()
        let profiles = Profiles(registry: device.registry, deviceKeys: nil) { profile in
            .forTests(
                device.vaultStore(of: profile.id), biometrics: OtherKey(base: device.biometrics(of: profile.id)))
        }
        let person = ScriptedPerson(entering: [.pin(TestPin.right)])
        let result = try await LocalAuthService(profile: profile.id, in: profiles, prompt: person)
            .unlock(reason: reason)
        #expect(result.ending == .unlocked(.pin))
        #expect(result.events == [.biometricsFailed(.corrupt)])
        #expect(person.enterings.map(\.offersBiometrics) == [false])
    }

    /// A keyring whose boxes contain another key than the vault's.
    private struct OtherKey: BiometricKeyring {
        let base: ScriptedBiometrics

        func availability() async -> BiometricAvailability { await base.availability() }

        func create(_ key: BiometricKeyID) async throws(BiometricError) -> P256.KeyAgreement.PublicKey {
            try await base.create(key)
        }

        func open(
            _ box: HPKEBox,
            with key: BiometricKeyID,
            info: [UInt8],
            reason: String
        ) async throws(BiometricError) -> SecretBytes {
            let right = try await base.open(box, with: key, info: info, reason: reason)
            return .random(byteCount: right.byteCount)
        }

        func remove(_ key: BiometricKeyID) async throws(BiometricError) { try await base.remove(key) }
    }

    @Test("At the PIN prompt the user can choose biometrics, and a cancel leads back to the prompt")
    func chosenAtPrompt() async throws {
        let device = SharedDevice()
        let profile = try await device.registerWithBiometrics()
        let keyring = device.biometrics(of: profile.id)
        keyring.script(.fails(.cancelled), .fails(.notRecognised), .recognised)
        let person = ScriptedPerson(entering: [.pin(TestPin.wrong), .useBiometrics, .useBiometrics, .useBiometrics])
        let configuration = LocalAuthConfiguration(order: .pinFirst, cancelledBiometrics: .end)
        let result = try await device.auth(profile, person, configuration).unlock(reason: reason)
        #expect(result.ending == .unlocked(.biometrics))
        #expect(result.events == [.biometricsFailed(.notRecognised)])
        #expect(person.enterings.map(\.offersBiometrics) == [true, true, true, true])
        #expect(person.enterings.map(\.biometricFailure) == [nil, nil, .cancelled, .notRecognised])
        #expect(keyring.reasons == [reason, reason, reason])
        // The result of an attempt is reported once.
        #expect(person.enterings.map(\.attempts.failureCount) == [0, 1, 1, 1])
    }

    @Test("A success by biometrics leaves the count of wrong PINs, and a wait does not block biometrics")
    func count() async throws {
        let device = SharedDevice()
        let profile = try await device.registerWithBiometrics()
        let person = ScriptedPerson(entering: Array(repeating: .pin(TestPin.wrong), count: 3) + [.useBiometrics])
        let result = try await device.auth(profile, person, LocalAuthConfiguration(order: .pinFirst))
            .unlock(reason: reason)
        #expect(result.ending == .unlocked(.biometrics))
        #expect(person.enterings.last?.attempts.wait == .seconds(30))
        #expect(try await device.auth(profile).unlock(reason: reason).ending == .unlocked(.biometrics))
        #expect(try await device.profiles.vault(of: profile).state() == .waiting(.seconds(30), triesLeft: 7))
    }

    @Test("Choosing biometrics that are not offered leads to the PIN prompt again")
    func notOffered() async throws {
        let device = SharedDevice()
        let profile = try await device.registerWithBiometrics()
        let person = ScriptedPerson(
            entering: [.useBiometrics, .pin(TestPin.right), .useBiometrics, .cancel])
        let auth = device.auth(profile, person, LocalAuthConfiguration(order: .pinOnly))
        #expect(try await auth.unlock(reason: reason).ending == .unlocked(.pin))
        #expect(try await auth.changePin().ending == .cancelled)
        #expect(person.enterings.map(\.offersBiometrics) == [false, false, false, false])
        #expect(device.biometrics(of: profile.id).reasons.isEmpty)
    }

    @Test("A changed enrolment is reported each time, also after a cancel, until biometrics are set up again")
    func changedEnrolment() async throws {
        let device = SharedDevice()
        let profile = try await device.registerWithBiometrics()
        device.biometrics(of: profile.id).changeEnrolment()
        let person = ScriptedPerson(entering: [.cancel, .pin(TestPin.right)])
        let auth = device.auth(profile, person)
        let first = try await auth.unlock(reason: reason)
        #expect(first.ending == .cancelled && first.hasEnrolmentChanged)
        let second = try await auth.unlock(reason: reason)
        #expect(second.ending == .unlocked(.pin) && second.hasEnrolmentChanged)
        #expect(person.enterings.map(\.biometricFailure) == [.enrolmentChanged, .enrolmentChanged])
        #expect(device.biometrics(of: profile.id).reasons.isEmpty)

        try await auth.setUp(.biometrics, in: try #require(second.open))
        let third = try await auth.unlock(reason: reason)
        #expect(third.ending == .unlocked(.biometrics) && !third.hasEnrolmentChanged)
        #expect(person.enterings.count == 2)
    }

    @Test("Availability can be queried without a prompt", arguments: BiometricAvailability.allCases)
    func availability(availability: BiometricAvailability) async throws {
        let device = SharedDevice()
        let profile = try await device.registerWithBiometrics()
        device.biometrics(of: profile.id).set(availability)
        let person = ScriptedPerson()
        #expect(try await device.auth(profile, person).biometricAvailability() == availability)
        #expect(device.biometrics(of: profile.id).reasons.isEmpty)
        #expect(person.enterings.isEmpty)
    }

    @Test("A vault without a keyring has no biometric hardware")
    func noKeyring() async throws {
        let device = SharedDevice()
        let profile = try await device.register().profile
        let profiles = Profiles(registry: device.registry, deviceKeys: nil) { profile in
            .forTests(device.vaultStore(of: profile.id))
        }
        let auth = LocalAuthService(profile: profile.id, in: profiles, prompt: ScriptedPerson())
        #expect(try await auth.biometricAvailability() == .noHardware)
    }
}
