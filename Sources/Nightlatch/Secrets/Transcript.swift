package import Foundation

/// An unambiguous encoding of several values as bytes, for associated data, key derivation labels and MACs.
///
/// The length of every part precedes it, so no two lists of parts give the same bytes.
package struct Transcript {
    package private(set) var bytes: Data

    /// - Parameter purpose: The use of the bytes. Different purposes never give the same bytes.
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

    /// Appends the length of a secret part. The part itself is appended elsewhere, in memory that is wiped.
    mutating func appendLength(of byteCount: Int) {
        for shift in stride(from: 24, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: byteCount >> shift))
        }
    }
}
