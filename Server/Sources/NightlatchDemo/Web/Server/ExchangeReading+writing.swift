import Crypto
import Foundation
import NightlatchWire

/// Formatting of values in an exchange.
extension ExchangeReading {
    static func read<Claims: MessageClaims>(
        _ text: String, as type: Claims.Type
    ) -> (message: CompactJWS, claims: Claims)? {
        do {
            let message = try CompactJWS(text)
            return (message, try message.claims(type))
        } catch {
            return nil
        }
    }

    static func proof(of exchange: Exchange) -> String? {
        exchange.proof.flatMap { read($0, as: DPoPClaims.self) }.map { message, claims in
            "\(claims.method) \(claims.url), by \(short(message.header.key?.thumbprint.rawValue ?? ""))"
        }
    }

    /// Returns enough of an identifier to distinguish it from others.
    static func short(_ text: String) -> String { text.count > 14 ? text.prefix(12) + "…" : text }

    static func sealed(_ handle: ChallengeHandle) -> String {
        "sealed, \(handle.rawValue.utf8.count) characters; nothing is stored"
    }

    /// Describes a token without revealing it.
    static func fingerprint(_ token: String) -> String {
        let hash = SHA256.hash(data: Data(token.utf8)).prefix(4).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "\(token.utf8.count) characters, SHA-256 \(hash.joined())…"
    }

    static func seconds(_ duration: Duration) -> String { "\(duration.components.seconds) s" }

    static func time(_ date: NumericDate) -> String { date.date.formatted(Self.clock) }

    /// Hours, minutes and seconds in UTC, independent of the locale.
    static let clock = Date.ISO8601FormatStyle(timeZone: .gmt).time(includingFractionalSeconds: false).timeSeparator(
        .colon)
}
