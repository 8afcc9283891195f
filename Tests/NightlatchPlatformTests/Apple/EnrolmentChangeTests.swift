import Crypto
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import Testing

@Suite("Changes of the biometric enrolment")
struct EnrolmentChangeTests {
    private let device = AppleDevice()
    private var model: EnclaveModel { device.model }

    private func seal(to key: P256.KeyAgreement.PublicKey) throws -> HPKEBox { try HPKEBox.test(to: key) }

    private func open(_ box: HPKEBox) async throws(BiometricError) { try await device.keyring.openTestBox(box) }

    @Test(
        "A key ends with its enrolment, whatever code the chip returns, and a new key works",
        arguments: [
            AppleFailure(token: .objectNotFound), AppleFailure(token: .corruptedData),
            AppleFailure(token: .authenticationFailed), AppleFailure(status: .itemNotFound),
            AppleFailure(status: .authFailed), AppleFailure(localAuthentication: .authenticationFailed),
            // Unknown codes: the hash of the enrolment decides.
            AppleFailure(domain: "com.apple.LocalAuthentication", code: -1009), AppleFailure(domain: "new", code: 1),
        ])
    func enrolment(failure: AppleFailure) async throws {
        let box = try seal(to: try await device.keyring.create(.first))
        model.set { state in
            state.enrolment = 2
            state.goneKeyFailure = failure
        }
        await #expect(throws: BiometricError.enrolmentChanged) { try await open(box) }
        try await open(try seal(to: try await device.keyring.create(.first)))
    }

    @Test(
        "The hash of the enrolment is a hint: another hash, or a missing one, removes no key",
        arguments: [1, nil] as [UInt8?])
    func hint(salt: UInt8?) async throws {
        let box = try seal(to: try await device.keyring.create(.first))
        model.set { $0.hashSalt = salt }
        try await open(box)
    }

    @Test(
        "A changed enrolment is reported if it happened or cannot be ruled out, never if the hash is the same",
        arguments: [
            AppleFailure(token: .objectNotFound), AppleFailure(token: .corruptedData),
            AppleFailure(token: .authenticationFailed), AppleFailure(status: .itemNotFound),
            AppleFailure(status: .authFailed), AppleFailure(localAuthentication: .authenticationFailed),
        ])
    func sameEnrolment(failure: AppleFailure) async throws {
        let box = try seal(to: try await device.keyring.create(.first))
        model.set { $0.failures = [failure] }
        await #expect(throws: BiometricError.failed(systemStatus: failure.systemStatus)) { try await open(box) }
        model.set { state in
            state.hashSalt = nil
            state.failures = [failure]
        }
        await #expect(throws: BiometricError.enrolmentChanged) { try await open(box) }
        try await open(box)
    }

    @Test("A chip error after the task was cancelled is no change of the enrolment")
    func cancelledMeanwhile() async throws {
        let box = try seal(to: try await device.keyring.create(.first))
        let real = model.biometry
        let leaving = BiometryCalls(state: real.state) {
            let prompt = real.makePrompt()
            return BiometryPrompt(
                configure: prompt.configure,
                evaluate: { policy, reason, reply in
                    prompt.evaluate(policy, reason) { failure in
                        unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
                        reply(failure)
                    }
                },
                sharedSecret: { _, _ throws(AppleFailure) in throw AppleFailure(token: .authenticationFailed) },
                invalidate: prompt.invalidate)
        }
        // The hash is missing, so the code alone would mean a change.
        model.set { $0.hashSalt = nil }
        let keyring = device.keyring(.biometricsOnly, biometry: leaving)
        let opening = Task {
            try await keyring.open(box, with: .first, info: HPKEBox.testInfo, reason: "Unlock").byteCount
        }
        await #expect(throws: BiometricError.interrupted) { try await opening.value }
    }

    @Test("Another error of the chip with an unchanged enrolment is reported with its code")
    func otherFailure() async throws {
        let box = try seal(to: try await device.keyring.create(.first))
        model.set { $0.failures = [AppleFailure(domain: "new", code: -77)] }
        await #expect(throws: BiometricError.failed(systemStatus: -77)) { try await open(box) }
        model.set { $0.failures = [AppleFailure(status: .interactionNotAllowed)] }
        await #expect(throws: BiometricError.interrupted) { try await open(box) }
        model.set { $0.failures = [AppleFailure(localAuthentication: .userCancel)] }
        await #expect(throws: BiometricError.cancelled) { try await open(box) }
        try await open(box)
    }
}
