import Foundation

/// Bytes that say several things unmistakably: every part is preceded by its length, so no two lists of parts give the same
/// bytes. For associated data, key derivation labels and MACs.
struct Transcript {
    private(set) var bytes: Data

    /// - Parameter purpose: What the bytes are for; different purposes never give the same bytes.
    init(_ purpose: StaticString) {
        bytes = Data()
        append(purpose.description)
    }

    mutating func append(_ text: String) { append(Array(text.utf8)) }

    mutating func append(_ number: UInt64) {
        append((0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) })
    }

    mutating func append(_ part: [UInt8]) {
        for shift in stride(from: 24, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: part.count >> shift))
        }
        bytes.append(contentsOf: part)
    }
}
