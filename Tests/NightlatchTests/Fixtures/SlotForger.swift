import Crypto
import Foundation
import Nightlatch
import NightlatchWire
import Testing

/// Makes a local PIN slot, like an attacker that knows the record and its documented format.
struct SlotForger {
    private let record: JSONTree

    init(_ record: JSONTree) {
        self.record = record
    }

    /// Returns a slot that opens under `pin` and contains `bytes` instead of a vault key.
    func slot(opening pin: String, holding bytes: [UInt8], iterations: Int) throws -> JSONTree {
        let isFirst = record["sealed", "content", "format"] == nil
        var slot: [String: JSONTree] = [
            "salt": .string(Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max) })),
            "box": .string(""),
            "key_derivation": .object([
                "algorithm": .string("pbkdf2-hmac-sha256"), "iterations": .unsigned(UInt64(iterations)),
            ]),
        ]
        var forged = record
        forged["sealed", "slots", "pin"] = .object(slot)
        let keys = try VaultKeys(forged, pin: pin)
        let box = try AES.GCM.seal(
            bytes, using: SymmetricKey(data: keys.wrappingKey), authenticating: keys.slotDescription)
        slot["box"] = .string(Base64URL.encode(try #require(box.combined)))
        if !isFirst { slot["commitment"] = .string(Base64URL.encode(keys.commitment)) }
        return .object(slot)
    }
}
