import Foundation
import Testing

/// The reference vectors; `Tests/Vectors/BIP39/README.md` names their source.
struct BIP39Vector: Decodable, Sendable, CustomTestStringConvertible {
    let entropy: String
    let words: String
    let seed: String

    var testDescription: String { entropy }
    var wordCount: Int { words.split(separator: " ").count }

    static let passphrase = "TREZOR"

    static let all: [BIP39Vector] = {
        do {
            return try JSONDecoder().decode(
                [BIP39Vector].self, from: Data(contentsOf: folder.appending(path: "vectors.json")))
        } catch {
            preconditionFailure("the vectors cannot be read: \(error)")
        }
    }()

    /// The English words, one on each line.
    static let wordListPath = folder.appending(path: "english.txt").path

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Vectors/BIP39")
}
