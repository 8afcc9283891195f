import Crypto
import Nightlatch
import Observation

/// The fingerprint sensor of the demonstration's phone: real keys in memory, and a user who answers on the page.
///
/// It behaves like hardware: a key belongs to the fingers that were enrolled when it was created, and disappears when
/// these fingers change.
@MainActor @Observable
final class DemoSensor: BiometricKeyring {
    enum Answer: String, CaseIterable {
        case recognised = "touch"
        case stranger = "touch-stranger"
        case cancelled = "touch-cancel"
        case pinChosen = "touch-pin"
    }

    /// The reason that the prompt shows; nil if there is no prompt.
    private(set) var reason: String?
    private(set) var hasKeys = false
    @ObservationIgnored private var keys: [BiometricKeyID: P256.KeyAgreement.PrivateKey] = [:] {
        didSet { hasKeys = !keys.isEmpty }
    }
    @ObservationIgnored private var waiting: CheckedContinuation<Answer, Never>?

    nonisolated init() {}

    /// Answers the prompt. Does nothing if there is none.
    func answer(_ answer: Answer) {
        guard let waiting = waiting.take() else { return }
        reason = nil
        waiting.resume(returning: answer)
    }

    /// Enrols another finger in the phone's settings, which removes every key.
    func changeEnrolment() {
        keys = [:]
    }

    @MainActor
    func availability() async -> BiometricAvailability { .available }

    @MainActor
    func create(_ key: BiometricKeyID) async throws(BiometricError) -> P256.KeyAgreement.PublicKey {
        let new = P256.KeyAgreement.PrivateKey()
        keys[key] = new
        return new.publicKey
    }

    @MainActor
    func open(
        _ box: HPKEBox,
        with key: BiometricKeyID,
        info: [UInt8],
        reason: String
    ) async throws(BiometricError) -> SecretBytes {
        // Like a real system, throws this error without a prompt.
        guard keys[key] != nil else { throw .enrolmentChanged }
        switch await ask(reason) {
        case .cancelled: throw .cancelled
        case .pinChosen: throw .pinChosen
        case .stranger: throw .notRecognised
        case .recognised: break
        }
        // The keys may have been removed while the prompt was shown.
        guard let privateKey = keys[key] else { throw .enrolmentChanged }
        let secret: SecretBytes?
        do {
            secret = try box.open(with: privateKey, suite: HPKEBox.biometricSuite, info: info)
        } catch {
            throw .corrupt
        }
        guard let secret else { throw .corrupt }
        return secret
    }

    @MainActor
    func remove(_ key: BiometricKeyID) async throws(BiometricError) {
        keys[key] = nil
    }

    /// Shows a prompt. Cancels a prompt that is already shown, because there is only one at a time.
    private func ask(_ reason: String) async -> Answer {
        answer(.cancelled)
        return await withCheckedContinuation { continuation in
            waiting = continuation
            self.reason = reason
        }
    }
}
