import Crypto
import Nightlatch
import NightlatchTesting

/// A sensor whose prompt stays until a test recognises the user. Copies of the value share it.
struct SlowSensor: BiometricKeyring {
    private struct State {
        var promptCount = 0
        var isUp = false
        var person: AsyncStream<Void>.Continuation?
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let keys = ScriptedBiometrics()
    private let state = Shared(State())

    /// The number of prompts.
    var promptCount: Int { state.withLock { $0.promptCount } }
    var isUp: Bool { state.withLock { $0.isUp } }

    /// Returns when there is a prompt.
    func promptIsUp() async {
        await withCheckedContinuation { continuation in
            let isUp = state.withLock { state in
                if !state.isUp { state.waiting.append(continuation) }
                return state.isUp
            }
            if isUp { continuation.resume() }
        }
    }

    /// Ends the prompt.
    func recognise() {
        state.withLock { $0.person.take() }?.finish()
    }

    func availability() async -> BiometricAvailability { .available }

    func create(_ key: BiometricKeyID) async throws(BiometricError) -> P256.KeyAgreement.PublicKey {
        try await keys.create(key)
    }

    func open(
        _ box: HPKEBox,
        with key: BiometricKeyID,
        info: [UInt8],
        reason: String
    ) async throws(BiometricError) -> SecretBytes {
        let (touches, person) = AsyncStream<Void>.makeStream()
        let waiting = state.withLock { state in
            state.promptCount += 1
            state.isUp = true
            state.person = person
            return state.waiting.take()
        }
        for continuation in waiting { continuation.resume() }
        for await _ in touches {}
        state.withLock { $0.isUp = false }
        guard !Task.isCancelled else { throw .interrupted }
        return try await keys.open(box, with: key, info: info, reason: reason)
    }

    func remove(_ key: BiometricKeyID) async throws(BiometricError) { try await keys.remove(key) }
}

extension Array {
    fileprivate mutating func take() -> [Element] {
        defer { self = [] }
        return self
    }
}
