internal import Foundation

/// The prompts of the system that the library has put up in this process.
///
/// While one is up, every window of the app is inactive although nobody has left it, so a screen lock asks here before it counts
/// that as time away.
// Safe to send: `count` is touched only while `lock` is held.
package final class SystemPrompts: @unchecked Sendable {
    package static let ofThisProcess = SystemPrompts()

    private let lock = NSLock()
    private var count = 0

    package var areUp: Bool { change { $0 > 0 } }

    func begin() { change { $0 += 1 } }

    func end() { change { $0 -= 1 } }

    private func change<Result>(_ body: (inout Int) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&count)
    }
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
