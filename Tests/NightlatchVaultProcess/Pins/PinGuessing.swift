import Foundation
package import Nightlatch
import NightlatchPlatform

/// Tries PINs, all at the same time, and reports the result of each.
package struct PinGuessing {
    /// The result of an attempt.
    package enum Verdict: Hashable, Codable, Sendable {
        case opened
        case refused(Refusal)
        /// The vault was erased before.
        case noVault
    }

    package enum Refusal: Hashable, Codable, Sendable {
        case wrong(triesLeft: Int)
        case waiting, blocked, erased
    }

    let path: String
    let pins: [String]

    /// Reports that it is ready, waits for the end of the input, tries the PINs, and prints the verdicts as JSON.
    func run() async throws {
        try FileHandle.standardOutput.write(contentsOf: Data([0x0A]))
        _ = try FileHandle.standardInput.readToEnd()
        let verdicts = try await Self.verdicts(on: pins, store: FileStore(path: path))
        try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(verdicts))
    }

    /// Tries each of `pins` in its own task with its own vault, all at the same time.
    package static func verdicts(on pins: [String], store: any SecureStore) async throws -> [Verdict] {
        try await withThrowingTaskGroup { group in
            for pin in pins {
                group.addTask { try await verdict(on: pin, store: store) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private static func verdict(on pin: String, store: any SecureStore) async throws -> Verdict {
        do {
            _ = try await Vault.forGuesses(store).unlock(with: Pin(pin))
            return .opened
        } catch UnlockError.noVault {
            return .noVault
        } catch UnlockError.refused(let refusal) {
            switch refusal {
            case .wrong(let triesLeft, _): return .refused(.wrong(triesLeft: triesLeft))
            case .waiting: return .refused(.waiting)
            case .blocked: return .refused(.blocked)
            case .erased: return .refused(.erased)
            }
        }
    }
}
