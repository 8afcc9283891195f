import Crypto
import Nightlatch
import Observation

/// The fingerprint sensor of the demonstration's phone: real keys in memory, and a person who answers on the page.
///
/// It behaves as hardware does: a key is bound to the fingers that were enrolled when it was made, and goes with them.
@MainActor @Observable
final class DemoSensor: BiometricKeyring {
    enum Answer: String, CaseIterable {
        case recognised = "touch"
        case stranger = "touch-stranger"
        case cancelled = "touch-cancel"
        case pinChosen = "touch-pin"
    }

    /// Why the person is asked; nil while nobody is.
    private(set) var reason: String?
    private(set) var hasKeys = false
    @ObservationIgnored private var keys: [BiometricKeyID: P256.KeyAgreement.PrivateKey] = [:] {
        didSet { hasKeys = !keys.isEmpty }
    }
    @ObservationIgnored private var waiting: CheckedContinuation<Answer, Never>?

    nonisolated init() {}

    /// The person does something. Does nothing while nobody is asked.
    func answer(_ answer: Answer) {
        guard let waiting = waiting.take() else { return }
        reason = nil
        waiting.resume(returning: answer)
    }

    /// Another finger is enrolled in the phone's settings: every key is gone.
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
        // Told without asking the person, as the system does.
        guard keys[key] != nil else { throw .enrolmentChanged }
        switch await ask(reason) {
        case .cancelled: throw .cancelled
        case .pinChosen: throw .pinChosen
        case .stranger: throw .denied
        case .recognised: break
        }
        // They may have gone while the person was asked.
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

    /// Whoever is asked already is answered for: one prompt is there at a time.
    private func ask(_ reason: String) async -> Answer {
        answer(.cancelled)
        return await withCheckedContinuation { continuation in
            waiting = continuation
            self.reason = reason
        }
    }
}
