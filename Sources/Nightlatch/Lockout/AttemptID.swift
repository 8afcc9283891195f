package import NightlatchWire

/// The id of one attempt to use a PIN. It distinguishes the verdicts of two attempts.
package typealias AttemptID = Identifier<AttemptIDRule>

package enum AttemptIDRule: BinaryIdentifierRule {
    package static let name = "attempt id"
    package static let byteCount = 16
}
