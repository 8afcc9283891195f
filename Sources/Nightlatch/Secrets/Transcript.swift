package import Foundation

/// Bytes that say several things unmistakably: every part is preceded by its length, so no two lists of parts give the same
/// bytes. For associated data, key derivation labels and MACs.
package struct Transcript {
    package private(set) var bytes: Data

    /// - Parameter purpose: What the bytes are for; different purposes never give the same bytes.
    package init(_ purpose: StaticString) { self.init(text: purpose.description) }

    init(text purpose: String) {
        bytes = Data()
        append(purpose)
    }

    package mutating func append(_ text: String) { append(Array(text.utf8)) }

    package mutating func append(_ number: UInt64) {
        append((0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) })
    }

    package mutating func append(_ part: [UInt8]) {
        appendLength(of: part.count)
        bytes.append(contentsOf: part)
    }

    /// The length of a part that is a secret, which is appended elsewhere, in memory that is wiped.
    mutating func appendLength(of byteCount: Int) {
        for shift in stride(from: 24, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: byteCount >> shift))
        }
    }
}
