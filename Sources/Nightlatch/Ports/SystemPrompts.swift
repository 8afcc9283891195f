/// The prompts of the system that the library has put up in this process.
///
/// While one is up, every window of the app is inactive although nobody has left it, so a screen lock asks here before it counts
/// that as time away.
package final class SystemPrompts: Sendable {
    package static let ofThisProcess = SystemPrompts()

    private let count = Locked(0)

    package var areUp: Bool { count.withLock { $0 > 0 } }

    func begin() { count.withLock { $0 += 1 } }

    func end() { count.withLock { $0 -= 1 } }
}

extension BiometricKeyring {
    /// ``open(_:with:info:reason:)``, during which a screen lock knows that the system asks the person.
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
