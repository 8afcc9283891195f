package import NightlatchWire

/// One attempt to use a PIN, so that its verdict is not taken for another's.
package typealias AttemptID = Identifier<AttemptIDRule>

package enum AttemptIDRule: BinaryIdentifierRule {
    package static let name = "attempt id"
    package static let byteCount = 16
}
