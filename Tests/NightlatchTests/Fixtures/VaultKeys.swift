import Crypto
import Foundation
import Nightlatch
import NightlatchArgon2
import NightlatchPBKDF2
import NightlatchWire

/// All keys that a PIN leads to in a vault, made by swift-crypto alone from what stands in the record.
struct VaultKeys {
    /// What PBKDF2 or Argon2id gives.
    let stretchedPin: [UInt8]
    /// What they give where 64 bytes are asked for: the two halves of a hardened PIN.
    let halves: [UInt8]
    /// What HKDF makes of it on the way.
    let pseudorandomKey: [UInt8]
    /// What HKDF gives: the key of a slot of the first format, and what the others are expanded from.
    let pinKey: [UInt8]
    /// The key that wraps the vault key.
    let wrappingKey: [UInt8]
    /// What the slot commits to the key by.
    let commitment: [UInt8]
    /// What the box is authenticated with.
    let slotDescription: [UInt8]
    /// What the box of the slot holds; nil if the PIN is wrong.
    let vaultKey: [UInt8]?

    /// The key under which the vault key vouches for the content.
    var macKey: [UInt8]? { derive(Self.transcript(Array("nightlatch vault mac".utf8))) }

    /// The key under which the secret of that name is sealed.
    func itemKey(_ name: String) -> [UInt8]? {
        derive(Self.transcript(Array("nightlatch vault item key".utf8), Array(name.utf8)))
    }

    init(_ record: JSONTree, pin: String) throws {
        guard let vaultID = record["vault_id"]?.text, let slot = record["sealed", "slots", "pin"],
            let epoch = record["sealed", "content", "epoch"]?.number,
            let salt = slot["salt"]?.text.flatMap({ Base64URL.decode($0) }),
            let box = slot["box"]?.text.flatMap({ Base64URL.decode($0) }),
            let parameters = slot["key_derivation"]
        else { throw CocoaError(.coderReadCorrupt) }
        let format = record["sealed", "content", "format"]?.number ?? 1
        let info = Self.slotInfo(vaultID, .pin, epoch, format) + Self.transcript(parameters.bytes)
        let stretched = try Self.stretched(pin, salt: salt, by: parameters)
        halves = try Self.stretched(pin, salt: salt, by: parameters, byteCount: 64)
        let extracted = HKDF<SHA256>.extract(inputKeyMaterial: SymmetricKey(data: stretched), salt: salt)
        let key = HKDF<SHA256>.expand(pseudoRandomKey: extracted, info: info, outputByteCount: 32)
        slotDescription = info
        stretchedPin = stretched
        pseudorandomKey = Array(extracted)
        pinKey = Self.bytes(key)
        func expand(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.expand(
                pseudoRandomKey: key, info: Self.transcript(Array(purpose.utf8)), outputByteCount: 32)
        }
        let wrapping = format == 1 ? key : expand("nightlatch pin wrapping key")
        wrappingKey = Self.bytes(wrapping)
        commitment = Self.bytes(expand("nightlatch pin key commitment"))
        vaultKey = (try? AES.GCM.open(AES.GCM.SealedBox(combined: box), using: wrapping, authenticating: info))
            .map(Array.init)
    }

    /// What the slot of that way is bound to, in the sealed part of a record or in an unfinished change of it.
    static func slotInfo(_ record: JSONTree, _ part: String, _ way: VaultWay) -> [UInt8]? {
        guard let vaultID = record["vault_id"]?.text, let epoch = record[part, "content", "epoch"]?.number else {
            return nil
        }
        return slotInfo(vaultID, way, epoch, record[part, "content", "format"]?.number ?? 1)
    }

    private static func slotInfo(_ vaultID: String, _ way: VaultWay, _ epoch: Int, _ format: Int) -> [UInt8] {
        transcript(
            Array("nightlatch slot".utf8), bytes(format), Array(vaultID.utf8), Array(way.rawValue.utf8), bytes(epoch))
    }

    private static func stretched(
        _ pin: String, salt: [UInt8], by parameters: JSONTree, byteCount: Int = 32
    ) throws -> [UInt8] {
        var stretched = [UInt8](repeating: 0, count: byteCount)
        unsafe try stretched.withUnsafeMutableBytes { output in
            unsafe try Array(pin.utf8).withUnsafeBytes { pin in
                if let iterations = parameters["iterations"]?.number {
                    unsafe try PBKDF2.deriveKey(
                        from: pin.assumingMemoryBound(to: UInt8.self), salt: salt, iterations: iterations, into: output)
                } else {
                    guard let memory = parameters["memory_kib"]?.number, let passes = parameters["passes"]?.number,
                        let lanes = parameters["lanes"]?.number,
                        let cost = Argon2id.Parameters(memoryKibibytes: memory, passes: passes, lanes: lanes)
                    else { throw CocoaError(.coderReadCorrupt) }
                    var workspace = try Argon2id.Memory(for: cost)
                    unsafe salt.withUnsafeBytes { unsafe workspace.deriveKey(from: pin, salt: $0, into: output) }
                }
            }
        }
        return stretched
    }

    private func derive(_ info: [UInt8]) -> [UInt8]? {
        vaultKey.map { vaultKey in
            Self.bytes(
                HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: SymmetricKey(data: vaultKey), info: info, outputByteCount: 32))
        }
    }

    private static func bytes(_ key: SymmetricKey) -> [UInt8] { unsafe key.withUnsafeBytes { unsafe Array($0) } }

    private static func bytes(_ number: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    private static func transcript(_ parts: [UInt8]...) -> [UInt8] {
        parts.flatMap { bytes($0.count).suffix(4) + $0 }
    }
}
