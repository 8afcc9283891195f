import Crypto
import Foundation
import Nightlatch
import NightlatchArgon2
import NightlatchPBKDF2
import NightlatchWire

/// All keys that a PIN leads to in a vault, derived from the record by swift-crypto alone.
struct VaultKeys {
    /// The output of PBKDF2 or Argon2id: 32 bytes, or the two halves of a hardened PIN.
    let stretchedPin: [UInt8]
    /// The hardener's output for the first half; nil without a hardener.
    let hardenerOutput: [UInt8]?
    /// The pseudorandom key of HKDF.
    let pseudorandomKey: [UInt8]
    /// The output of HKDF: the key of a slot of the first format, and the source of the other keys.
    let pinKey: [UInt8]
    /// The key that wraps the vault key.
    let wrappingKey: [UInt8]
    /// The key that seals the knowledge key of a hardened slot.
    let knowledgeWrappingKey: [UInt8]?
    /// The knowledge key of a hardened slot; nil if the PIN is wrong.
    let knowledgeKey: [UInt8]?
    /// The slot's commitment to the key.
    let commitment: [UInt8]
    /// The associated data of the box.
    let slotDescription: [UInt8]
    /// The content of the slot's box; nil if the PIN is wrong.
    let vaultKey: [UInt8]?

    /// The key with which the vault key authenticates the content.
    var macKey: [UInt8]? { derive(Self.transcript(Array("nightlatch vault mac".utf8))) }

    /// The pseudorandom key that HKDF derives from the vault key.
    var vaultPseudorandomKey: [UInt8]? {
        vaultKey.map { Array(HKDF<SHA256>.extract(inputKeyMaterial: SymmetricKey(data: $0), salt: [UInt8]())) }
    }

    /// The key that seals the list of slots for which the vault key is wrapped.
    var recipientsKey: [UInt8]? { derive(Self.transcript(Array("nightlatch vault recipients key".utf8))) }

    /// The key that seals the secret of this name.
    func itemKey(_ name: String) -> [UInt8]? {
        derive(Self.transcript(Array("nightlatch vault item key".utf8), Array(name.utf8)))
    }

    /// - Parameter output: The hardener's output for ``hardenerInput(_:pin:)``; nil for a slot that the PIN alone
    ///   opens.
    init(_ record: JSONTree, pin: String, hardenedTo output: [UInt8]? = nil) throws {
        let slot = try Slot(record)
        stretchedPin = try slot.stretched(pin, byteCount: output == nil ? 32 : 64)
        hardenerOutput = output
        let format = record["sealed", "content", "format"]?.number ?? 1
        let material: [UInt8]
        let description: [UInt8]
        if let output {
            guard let key = slot.json["hardened", "key"], let device = key["device", "device"]?.text,
                let epoch = key["epoch"]?.number, let publicKey = Base64URL.decode(key["public_key"]?.text ?? "")
            else { throw CocoaError(.coderReadCorrupt) }
            material = stretchedPin.suffix(32) + output
            description = Self.transcript(
                Array("nightlatch two-party pin key v1".utf8), Array(slot.vaultID.utf8), Array(device.utf8),
                Self.bytes(epoch), publicKey, slot.parameters.bytes)
        } else {
            material = stretchedPin
            description =
                Self.slotInfo(slot.vaultID, .pin, slot.epoch, format) + Self.transcript(slot.parameters.bytes)
        }
        let extracted = HKDF<SHA256>.extract(inputKeyMaterial: SymmetricKey(data: material), salt: slot.salt)
        let key = HKDF<SHA256>.expand(pseudoRandomKey: extracted, info: description, outputByteCount: 32)
        slotDescription = description
        pseudorandomKey = Array(extracted)
        pinKey = Self.bytes(key)
        func expand(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.expand(
                pseudoRandomKey: key, info: Self.transcript(Array(purpose.utf8)), outputByteCount: 32)
        }
        func open(_ box: JSONTree?, under key: SymmetricKey) -> [UInt8]? {
            guard let box = Base64URL.decode(box?.text ?? "") else { return nil }
            return (try? AES.GCM.open(AES.GCM.SealedBox(combined: box), using: key, authenticating: description))
                .map(Array.init)
        }
        let wrapping: SymmetricKey
        if output == nil {
            wrapping = format == 1 ? key : expand("nightlatch pin wrapping key")
            commitment = Self.bytes(expand("nightlatch pin key commitment"))
            (knowledgeWrappingKey, knowledgeKey) = (nil, nil)
        } else {
            wrapping = expand("nightlatch two-party vault key v1")
            commitment = Self.bytes(expand("nightlatch two-party commitment v1"))
            let sealing = expand("nightlatch two-party knowledge key v1")
            knowledgeWrappingKey = Self.bytes(sealing)
            knowledgeKey = open(slot.json["hardened", "knowledge_key"], under: sealing)
        }
        wrappingKey = Self.bytes(wrapping)
        vaultKey = open(slot.json["box"], under: wrapping)
    }

    /// The input of a hardener for a PIN, and its epoch.
    static func hardenerInput(_ record: JSONTree, pin: String) throws -> (input: [UInt8], epoch: HardenedEpoch) {
        let slot = try Slot(record)
        guard let key = slot.json["hardened", "key"] else { throw CocoaError(.coderReadCorrupt) }
        let epoch = try StrictJSON.decode(HardenedEpoch.self, from: key.bytes)
        let input = transcript(
            Array("nightlatch two-party pin input v1".utf8), Array(epoch.device.device.rawValue.utf8),
            bytes(Int(epoch.epoch.rawValue)), Array(try slot.stretched(pin, byteCount: 64).prefix(32)))
        return (input, epoch)
    }

    /// The description to which the slot of this way is bound, in the sealed part of a record or in an unfinished
    /// change of it.
    static func slotInfo(_ record: JSONTree, _ part: String, _ way: VaultSlot) -> [UInt8]? {
        guard let vaultID = record["vault_id"]?.text, let epoch = record[part, "content", "epoch"]?.number else {
            return nil
        }
        return slotInfo(vaultID, way, epoch, record[part, "content", "format"]?.number ?? 1)
    }

    private static func slotInfo(_ vaultID: String, _ way: VaultSlot, _ epoch: Int, _ format: Int) -> [UInt8] {
        transcript(
            Array("nightlatch slot".utf8), bytes(format), Array(vaultID.utf8), Array(way.rawValue.utf8), bytes(epoch))
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

/// The PIN slot of a record, and its surrounding values.
private struct Slot {
    let json: JSONTree
    let vaultID: String
    let epoch: Int
    let salt: [UInt8]
    let parameters: JSONTree

    init(_ record: JSONTree) throws {
        guard let vaultID = record["vault_id"]?.text, let slot = record["sealed", "slots", "pin"],
            let epoch = record["sealed", "content", "epoch"]?.number,
            let salt = slot["salt"]?.text.flatMap({ Base64URL.decode($0) }), let parameters = slot["key_derivation"]
        else { throw CocoaError(.coderReadCorrupt) }
        (json, self.vaultID, self.epoch) = (slot, vaultID, epoch)
        (self.salt, self.parameters) = (salt, parameters)
    }

    func stretched(_ pin: String, byteCount: Int) throws -> [UInt8] {
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
}
