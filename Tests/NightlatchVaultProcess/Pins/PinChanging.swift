import Foundation
import Nightlatch
import NightlatchPlatform

/// Changes the PIN of a vault to another and back without end, with a wrong attempt between two changes. Writes a byte
/// for each step to standard output, so that the steps are known after the process was killed.
package struct PinChanging {
    package enum Step: UInt8, Sendable {
        /// A wrong PIN is about to be tried.
        case guessing = 0x67
        /// The PIN was tested, and is wrong.
        case refused = 0x72
        /// The PIN is about to be changed.
        case changing = 0x63
        /// The PIN was changed.
        case changed = 0x64
        /// The store is about to be called, or was just called.
        case storeCall = 0x2E
    }

    let path: String
    let pin: String
    let other: String
    let wrong: String

    func run() async throws {
        let vault = try Vault.forPinChanges(TellingStore(base: FileStore(path: path)))
        var (old, new) = (pin, other)
        while true {
            Step.guessing.say()
            do {
                _ = try await vault.unlock(with: Pin(wrong))
            } catch UnlockError.refused(.wrong) {
                Step.refused.say()
            }
            Step.changing.say()
            _ = try await vault.changePin(from: Pin(old), to: Pin(new))
            Step.changed.say()
            swap(&old, &new)
        }
    }

    private struct TellingStore: SecureStore {
        let base: FileStore

        var guarantees: StoreGuarantees { base.guarantees }

        func read() async throws(StoreError) -> StoredRecord? {
            Step.storeCall.say()
            return try await base.read()
        }

        func replace(_ record: StoredRecord, expecting expected: UInt64?) async throws(StoreError) {
            Step.storeCall.say()
            try await base.replace(record, expecting: expected)
            Step.storeCall.say()
        }

        func remove(expecting expected: UInt64) async throws(StoreError) { try await base.remove(expecting: expected) }

        func erase() async throws(StoreError) { try await base.erase() }
    }
}

extension PinChanging.Step {
    fileprivate func say() { FileHandle.standardOutput.write(Data([rawValue])) }
}
