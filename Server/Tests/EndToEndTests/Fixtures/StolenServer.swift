import Crypto
import CryptoExtras
import Foundation
import GRDB
import NightlatchWire
import Testing

/// The data that an attacker copies from the server: its database, and the master key that opens the sealed keys in
/// it.
struct StolenServer {
    private struct State: Decodable {
        struct Key: Decodable {
            let box: String
            let epoch: Int
            let public_key: String
        }

        let current: Key?
    }

    let folder: String

    /// Returns the key of a device's current epoch; nil if there is none.
    func key(of device: DeviceID) throws -> P384._VOPRF.PrivateKey? {
        let database = try DatabaseQueue(path: folder + "/nightlatch.sqlite")
        let row = try database.read { database in
            try Data.fetchOne(
                database, sql: "SELECT state FROM pin_hardening WHERE device_id = ?", arguments: [device.rawValue])
        }
        guard let row, let key = try JSONDecoder().decode(State.self, from: row).current else { return nil }
        let text = try String(contentsOfFile: folder + "/master.key", encoding: .utf8)
        let master = SymmetricKey(
            data: try #require(Base64URL.decode(text.trimmingCharacters(in: .whitespacesAndNewlines))))
        func derived(_ label: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(inputKeyMaterial: master, info: Data(label.utf8), outputByteCount: 32)
        }
        let id = HMAC<SHA256>.authenticationCode(for: Data(), using: derived("nightlatch master key id v1")).prefix(4)
        let publicKey = try #require(Base64URL.decode(key.public_key))
        var associatedData = Data("nightlatch pin key v1".utf8)
        for part in [Array(id), Array(device.rawValue.utf8), publicKey, Array(String(key.epoch).utf8)] {
            associatedData += part
        }
        let scalar = try AES.GCM.open(
            AES.GCM.SealedBox(combined: try #require(Base64URL.decode(key.box))),
            using: derived("nightlatch pin key v1"), authenticating: associatedData)
        return try P384._VOPRF.PrivateKey(rawRepresentation: scalar)
    }

    /// Returns all bytes of the database's files.
    func bytes() throws -> Data {
        try ["", "-wal"].reduce(into: Data()) { bytes, suffix in
            bytes += try Data(contentsOf: URL(fileURLWithPath: folder + "/nightlatch.sqlite" + suffix))
        }
    }
}
