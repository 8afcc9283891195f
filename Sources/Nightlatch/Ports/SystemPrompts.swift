/// Counts the system prompts that the library shows in this process.
///
/// While such a prompt is shown, every window of the app is inactive although the user has not left the app. A screen
/// lock checks this count before it treats an inactive window as time away from the app.
package final class SystemPrompts: Sendable {
    package static let ofThisProcess = SystemPrompts()

    private let count = Locked(0)

    package var areUp: Bool { count.withLock { $0 > 0 } }

    func begin() { count.withLock { $0 += 1 } }

    func end() { count.withLock { $0 -= 1 } }
}

extension BiometricKeyring {
    /// Calls ``open(_:with:info:reason:)``, and counts its system prompt for the screen lock.
    func ask(
        _ box: HPKEBox,
        with key: BiometricKeyID,
        info: [UInt8],
        reason: String
    ) async throws(BiometricError) -> SecretBytes {
        SystemPrompts.ofThisProcess.begin()
        defer { SystemPrompts.ofThisProcess.end() }
        return try await open(box, with: key, info: info, reason: reason)
    }
}
