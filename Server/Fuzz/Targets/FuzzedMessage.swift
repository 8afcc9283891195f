import Crypto
import Foundation
import NightlatchFuzzReference

/// A message in compact form, made from an input.
///
/// An input that begins with a brace is a header and a payload, separated by a line feed. It is encoded and signed here
/// with the only key, so that mutations get past base64url and the signature. A third line replaces the signature. Any
/// other input is used as the message.
struct FuzzedMessage {
    /// The time at which messages are verified, in seconds since 1970.
    static let now = 1_800_000_000

    let text: String

    /// The signing key. Its private half is 1, so that the corpus can contain the public key: the base point of P-256.
    static let key: P256.Signing.PrivateKey = {
        let one = Data(repeating: 0, count: 31) + [1]
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: one) else { preconditionFailure("no key is 1") }
        return key
    }()

    init(_ input: [UInt8]) {
        guard input.first == UInt8(ascii: "{") else {
            text = String(decoding: input, as: UTF8.self)
            return
        }
        let lines = input.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
        let signed = lines.prefix(2).map { JWSInvariants.encode(Data($0)) }.joined(separator: ".")
        let signature = lines.count > 2 ? Data(lines[2]) : Self.signature(of: signed)
        text = signed + "." + JWSInvariants.encode(signature)
    }

    private static func signature(of text: String) -> Data {
        do {
            return try key.signature(for: Data(text.utf8)).rawRepresentation
        } catch {
            preconditionFailure("cannot sign: \(error)")
        }
    }
}
