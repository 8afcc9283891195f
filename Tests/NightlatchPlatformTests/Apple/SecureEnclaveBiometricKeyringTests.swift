import Crypto
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import Testing

@Suite("Biometric keyring over a model of the Secure Enclave and LocalAuthentication")
struct SecureEnclaveBiometricKeyringTests {
    private let device = AppleDevice()
    private var model: EnclaveModel { device.model }
    private let info = HPKEBox.testInfo

    private func seal(to key: P256.KeyAgreement.PublicKey) throws -> HPKEBox { try HPKEBox.test(to: key) }

    private func open(_ box: HPKEBox, reason: String = "Unlock") async throws(BiometricError) {
        try await device.keyring.openTestBox(box, reason: reason)
    }

    @Test(
        "The keyring passes every keyring conformance check",
        arguments: BiometricKeyringConformance.allCases, BiometricProtection.allCases)
    func conformance(promise: BiometricKeyringConformance, protection: BiometricProtection) async throws {
        for system in KeychainModel.System.allCases {
            let device = AppleDevice(system)
            try await promise.check { device.keyring(protection) }
            #expect(device.model.get(\.openContexts).isEmpty)
            #expect(device.model.get(\.faults).isEmpty)
        }
    }

    @Test("The user is asked once for each opening, with the app's reason and titles, and at no other time")
    func prompts() async throws {
        let box = try seal(to: try await device.keyring.create(.first))
        #expect(await device.keyring.availability() == .available)
        #expect(model.get(\.shown).isEmpty)
        try await open(box, reason: "Pay")
        try await open(box, reason: "Unlock")
        #expect(model.get(\.shown).map(\.reason) == ["Pay", "Unlock"])
        for shown in model.get(\.shown) {
            #expect(shown.policy == .deviceOwnerAuthenticationWithBiometrics)
            #expect(shown.settings.localizedReason == shown.reason)
            #expect(shown.settings.localizedFallbackTitle == "Enter PIN")
            #expect(shown.settings.localizedCancelTitle == "Not now")
        }
        try await device.keyring.remove(.first)
        #expect(model.get(\.shown).count == 2)
    }

    @Test(
        "Each opening has its own prompt, which is invalidated whatever the result",
        arguments: [
            EnclaveModel.Act.isRecognised, .isNotRecognised, .cancels, .choosesFallback, .isInterrupted,
        ])
    func invalidation(act: EnclaveModel.Act) async throws {
        let box = try seal(to: try await device.keyring.create(.first))
        model.set { $0.acts = [act] }
        do throws(BiometricError) { try await open(box) } catch {}
        try await open(box)
        #expect(model.get(\.openContexts).isEmpty)
        #expect(model.get(\.contextCount) == 2)
    }

    @Test(
        "Each action of the user or the system at the prompt has its own error, and opens nothing",
        arguments: [
            (EnclaveModel.Act.isNotRecognised, BiometricError.notRecognised), (.cancels, .cancelled),
            (.choosesFallback, .pinChosen),
            (.isInterrupted, .interrupted),
        ])
    func acts(act: EnclaveModel.Act, error: BiometricError) async throws {
        let box = try seal(to: try await device.keyring.create(.first))
        model.set { $0.acts = [act] }
        await #expect(throws: error) { try await open(box) }
    }

    @Test("Five mismatches lock biometrics out, without another prompt, until the passcode is entered")
    func lockout() async throws {
        let box = try seal(to: try await device.keyring.create(.first))
        model.set { $0.acts = Array(repeating: .isNotRecognised, count: 5) }
        for _ in 0..<4 { await #expect(throws: BiometricError.notRecognised) { try await open(box) } }
        await #expect(throws: BiometricError.unavailable(.lockedOut)) { try await open(box) }
        #expect(await device.keyring.availability() == .lockedOut)
        await #expect(throws: BiometricError.unavailable(.lockedOut)) { try await open(box) }
        #expect(model.get(\.shown).count == 5)
        model.set { $0.mismatches = 0 }
        try await open(box)
    }

    private static let states: [(BiometricAvailability, @Sendable (inout EnclaveModel.State) -> Void)] = [
        (.noHardware, { $0.sensor = .none }), (.noHardware, { $0.hasEnclave = false }),
        (.permissionDenied, { $0.isPermitted = false }), (.notEnrolled, { $0.enrolment = nil }),
        (.lockedOut, { $0.mismatches = 5 }), (.noPasscode, { $0.hasPasscode = false }),
        (.noHardware, { $0.evaluation = AppleFailure(localAuthentication: .biometryNotPaired) }),
        (.notNow, { ($0.sensor, $0.isLidClosed) = (.touchID, true) }),
    ]

    @Test("Unavailability is reported without a prompt, and prevents making and using keys", arguments: states.indices)
    func availability(index: Int) async throws {
        let (expected, change) = Self.states[index]
        let box = try seal(to: try await device.keyring.create(.first))
        let items = device.keychain.items
        model.set(change)
        #expect(await device.keyring.availability() == expected)
        await #expect(throws: BiometricError.unavailable(expected)) { try await open(box) }
        await #expect(throws: BiometricError.unavailable(expected)) { try await device.keyring.create(.first) }
        #expect(model.get(\.shown).isEmpty)
        #expect(device.keychain.items == items)
    }

    @Test(
        "An error that says nothing about the device is never reported as a missing sensor",
        arguments: [
            (AppleFailure(localAuthentication: .notInteractive), BiometricError.interrupted),
            (AppleFailure(localAuthentication: .systemCancel), .interrupted),
            (AppleFailure(localAuthentication: .invalidContext), .interrupted),
            (AppleFailure(status: .interactionNotAllowed), .interrupted),
            (AppleFailure(localAuthentication: .invalidDimensions), .failed(systemStatus: -14)),
            (AppleFailure(domain: "new", code: 77), .failed(systemStatus: 77)),
        ])
    func notNow(failure: AppleFailure, error: BiometricError) async throws {
        let box = try seal(to: try await device.keyring.create(.first))
        model.set { $0.evaluation = failure }
        #expect(await device.keyring.availability() == .notNow)
        await #expect(throws: error) { try await open(box) }
        await #expect(throws: error) { try await device.keyring.create(.first) }
        model.set { $0.evaluation = nil }
        #expect(await device.keyring.availability() == .available)
        try await open(box)
    }

    @Test("An empty reason, with which the system would end the app, is refused first", arguments: ["", " ", "\n\t"])
    func emptyReason(reason: String) async throws {
        let box = try seal(to: try await device.keyring.create(.first))
        await #expect(throws: BiometricError.failed(systemStatus: -50)) { try await open(box, reason: reason) }
        #expect(model.get(\.faults).isEmpty)
        #expect(model.get(\.contextCount) == 0)
    }

    @Test("The user is not asked for a malformed box or a missing key")
    func needless() async throws {
        let box = try seal(to: try await device.keyring.create(.first))
        let bad = HPKEBox(encapsulatedKey: [1, 2, 3], ciphertext: box.ciphertext)
        await #expect(throws: BiometricError.corrupt) { try await open(bad) }
        try await device.keyring.remove(.first)
        await #expect(throws: BiometricError.enrolmentChanged) { try await open(box) }
        #expect(model.get(\.contextCount) == 0)
    }

    @Test("Cancelling the task removes its prompt, and the error is an interruption", .timeLimit(.minutes(10)))
    func cancellation() async throws {
        let box = try seal(to: try await device.keyring.create(.first))
        model.set { $0.acts = [.waits] }
        let opening = Task { try await device.keyring.open(box, with: .first, info: info, reason: "Unlock").byteCount }
        await model.waitForPrompt()
        opening.cancel()
        await #expect(throws: BiometricError.interrupted) { try await opening.value }
        #expect(model.get(\.openContexts).isEmpty)
        try await open(box)
    }

    @Test("A recognition that was forged in this process releases no key", arguments: BiometricProtection.allCases)
    func forgery(protection: BiometricProtection) async throws {
        let box = try seal(to: try await device.keyring(protection).create(.first))
        let real = model.biometry
        let forged = BiometryCalls(state: real.state) {
            let prompt = real.makePrompt()
            return BiometryPrompt(
                configure: prompt.configure, evaluate: { _, _, reply in reply(nil) },
                sharedSecret: prompt.sharedSecret, invalidate: prompt.invalidate)
        }
        let keyring = device.keyring(protection, biometry: forged)
        await #expect(throws: BiometricError.self) {
            _ = try await keyring.open(box, with: .first, info: info, reason: "Unlock").byteCount
        }
    }

    @Test(
        "Each Keychain error is reported as such; a locked device means an interruption",
        arguments: [
            (KeychainStatus.interactionNotAllowed, BiometricError.interrupted), (.userCanceled, .cancelled),
            (.decode, .corrupt), (.missingEntitlement, .failed(systemStatus: -34018)),
            (.diskFull, .failed(systemStatus: -34)),
        ])
    func keychain(status: KeychainStatus, error: BiometricError) async throws {
        let box = try seal(to: try await device.keyring.create(.first))
        device.keychain.fail(.before(status))
        await #expect(throws: error) { try await open(box) }
        #expect(model.get(\.shown).isEmpty)
        try await open(box)
    }

    @Test(
        "A damaged key record is corrupt, a later format is reported, and a new key replaces either",
        arguments: [
            (#"{"format":1}"#, BiometricError.corrupt), ("", .corrupt),
            (#"{"format":0,"key":"AA","public_key":"AA"}"#, .corrupt),
            (#"{"format":1,"key":"AA","public_key":"AA"}"#, .corrupt),
            (#"{"format":2}"#, .failed(systemStatus: -25310)),
        ])
    func damaged(document: String, error: BiometricError) async throws {
        let box = try seal(to: try await device.keyring.create(.first))
        let store = KeychainStore(
            service: "app", account: "biometrics.vault.first", accessibility: .whenPasscodeSet,
            calls: device.keychain.calls)
        try await store.replace(StoredRecord(revision: 2, bytes: Array(document.utf8)), expecting: 1)
        await #expect(throws: error) { try await open(box) }
        try await open(try seal(to: try await device.keyring.create(.first)))
    }

    @Test("Removing the device's passcode deletes the keys: first there is no passcode, later a changed enrolment")
    func passcode() async throws {
        let box = try seal(to: try await device.keyring.create(.first))
        device.keychain.removePasscode()
        model.set { $0.hasPasscode = false }
        #expect(device.keychain.items.isEmpty)
        await #expect(throws: BiometricError.unavailable(.noPasscode)) { try await open(box) }
        model.set { $0.hasPasscode = true }
        await #expect(throws: BiometricError.enrolmentChanged) { try await open(box) }
        #expect(model.get(\.shown).isEmpty)
    }

    @Test("After a changed enrolment the user is asked in vain once, even across restarts, until a new key is made")
    func askedInVainOnce() async throws {
        let box = try seal(to: try await device.keyring.create(.first))
        model.set { $0.enrolment = 2 }
        for _ in 0..<3 { await #expect(throws: BiometricError.enrolmentChanged) { try await open(box) } }
        #expect(model.get(\.shown).count == 1)
        // The key stays unusable even if the old enrolment returns: the chip has deleted it.
        model.set { $0.enrolment = 1 }
        await #expect(throws: BiometricError.enrolmentChanged) { try await open(box) }
        #expect(model.get(\.shown).count == 1)
        try await open(try seal(to: try await device.keyring.create(.first)))
    }

    @Test("Without a hash from the system, two refusals in a row mean a permanent change, and one does not")
    func refusedTwice() async throws {
        let box = try seal(to: try await device.keyring.create(.first))
        model.set { $0.hashSalt = nil }
        for refusalCount in [1, 2] {
            model.set {
                $0.failures = Array(repeating: AppleFailure(token: .objectNotFound), count: refusalCount)
                $0.shown = []
            }
            for _ in 0..<refusalCount { await #expect(throws: BiometricError.enrolmentChanged) { try await open(box) } }
            if refusalCount == 1 { try await open(box) }
            #expect(model.get(\.shown).count == 2)
        }
        await #expect(throws: BiometricError.enrolmentChanged) { try await open(box) }
        #expect(model.get(\.shown).count == 2)
    }

    @Test("A key that works under another hash gets the new hash, and a later refusal is no change")
    func renewed() async throws {
        let box = try seal(to: try await device.keyring.create(.first))
        model.set { $0.hashSalt = 9 }
        try await open(box)
        model.set { $0.failures = [AppleFailure(localAuthentication: .authenticationFailed)] }
        await #expect(throws: BiometricError.failed(systemStatus: -1)) { try await open(box) }
        try await open(box)
    }
}
