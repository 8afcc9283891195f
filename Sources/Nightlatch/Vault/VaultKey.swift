import Crypto
import Foundation
import NightlatchWire

/// The random key that everything in one vault hangs on, with what is derived from it. It lives as long as a vault is open.
///
/// Keys are swift-crypto's `SymmetricKey`, which overwrites its memory when the last reference goes.
struct VaultKey: Sendable {
    static let byteCount = 32

    private let key: SymmetricKey
    private let vaultID: VaultID

    /// A new random key.
    init(vaultID: VaultID) {
        key = SymmetricKey(size: .bits256)
        self.vaultID = vaultID
    }

    init(_ bytes: borrowing SecretBytes, vaultID: VaultID) {
        key = unsafe bytes.withUnsafeBytes { unsafe SymmetricKey(data: UnsafeRawBufferPointer($0)) }
        self.vaultID = vaultID
    }

    /// The key as bytes, to be wrapped.
    var bytes: SecretBytes {
        unsafe SecretBytes(byteCount: Self.byteCount) { memory in
            unsafe key.withUnsafeBytes { unsafe memory.copyMemory(from: $0) }
        }
    }

    func seal(_ secret: borrowing SecretBytes, as name: SecretName) -> SealedBytes {
        SealedBytes(sealing: secret, under: itemKey(name), authenticating: itemDescription(name))
    }

    /// Nil if the box is not what this key sealed under `name`.
    func open(_ box: SealedBytes, as name: SecretName) -> SecretBytes? {
        box.open(under: itemKey(name), authenticating: itemDescription(name))
    }

    /// The key `before` this one, sealed under it.
    ///
    /// - Parameter keepingRecipients: What the box vouches for beside it (``SealedVault/keepsRecipients``).
    func sealPredecessor(_ before: VaultKey, keepingRecipients: Bool) -> SealedBytes {
        SealedBytes(
            sealing: before.bytes, under: predecessorKey, authenticating: predecessorDescription(keepingRecipients))
    }

    /// Nil if the box is not what this key sealed.
    func openPredecessor(_ box: SealedBytes, keepingRecipients: Bool) -> VaultKey? {
        guard
            let bytes = box.open(under: predecessorKey, authenticating: predecessorDescription(keepingRecipients))
        else { return nil }
        return VaultKey(bytes, vaultID: vaultID)
    }

    /// Content that this key vouches for.
    func vouch(
        for items: [String: SealedBytes],
        recipients: VaultRecipients,
        epoch: UInt64,
        generation: UInt64,
        isRekeyDue: Bool = false
    ) -> VaultContent {
        let transcript = transcript(
            of: items, recipients: recipients, epoch: epoch, generation: generation, isRekeyDue: isRekeyDue)
        let code = CryptographyResidue.wiping {
            HMAC<SHA256>.authenticationCode(for: transcript.bytes, using: macKey)
        }
        return VaultContent(
            epoch: epoch, generation: generation, recipients: recipients, isRekeyDue: isRekeyDue ? true : nil,
            items: items, mac: VaultMAC(unchecked: Base64URL.encode(Data(code))))
    }

    /// Whether this key vouches for `content`. The comparison is in constant time.
    func vouches(for content: VaultContent) -> Bool {
        let transcript = transcript(
            of: content.items, recipients: content.recipients, epoch: content.epoch, generation: content.generation,
            isRekeyDue: content.isRekeyDue ?? false)
        return CryptographyResidue.wiping {
            HMAC<SHA256>.isValidAuthenticationCode(
                content.mac.bytes, authenticating: transcript.bytes, using: macKey)
        }
    }

    /// What a slot of this vault is bound to, beside the key that opens it.
    func slotInfo(_ way: VaultWay, epoch: UInt64) -> Transcript { Self.slotInfo(way, vaultID: vaultID, epoch: epoch) }

    static func slotInfo(_ way: VaultWay, vaultID: VaultID, epoch: UInt64) -> Transcript {
        var info = Transcript("nightlatch slot")
        info.append(UInt64(VaultRecord.newestFormat))
        info.append(vaultID.rawValue)
        info.append(way.rawValue)
        info.append(epoch)
        return info
    }

    private var macKey: SymmetricKey { derive(Transcript("nightlatch vault mac")) }

    private var predecessorKey: SymmetricKey { derive(Transcript("nightlatch vault predecessor key")) }

    private func predecessorDescription(_ keepsRecipients: Bool) -> Transcript {
        var description = Transcript(
            keepsRecipients ? "nightlatch vault predecessor, recipients kept" : "nightlatch vault predecessor")
        description.append(UInt64(VaultRecord.newestFormat))
        description.append(vaultID.rawValue)
        return description
    }

    private func itemKey(_ name: SecretName) -> SymmetricKey {
        var info = Transcript("nightlatch vault item key")
        info.append(name.rawValue)
        return derive(info)
    }

    private func derive(_ info: Transcript) -> SymmetricKey {
        CryptographyResidue.wiping {
            HKDF<SHA256>.deriveKey(inputKeyMaterial: key, info: info.bytes, outputByteCount: 32)
        }
    }

    private func itemDescription(_ name: SecretName) -> Transcript {
        var description = Transcript("nightlatch vault item")
        description.append(UInt64(VaultRecord.newestFormat))
        description.append(vaultID.rawValue)
        description.append(name.rawValue)
        return description
    }

    private func transcript(
        of items: [String: SealedBytes],
        recipients: VaultRecipients,
        epoch: UInt64,
        generation: UInt64,
        isRekeyDue: Bool
    ) -> Transcript {
        var transcript = Transcript(
            isRekeyDue ? "nightlatch vault content, rekey due" : "nightlatch vault content")
        transcript.append(UInt64(VaultRecord.newestFormat))
        transcript.append(vaultID.rawValue)
        transcript.append(epoch)
        transcript.append(generation)
        transcript.append([UInt8](StrictJSON.encode(recipients)))
        for (name, box) in items.sorted(by: { $0.key < $1.key }) {
            transcript.append(name)
            transcript.append(box.bytes)
        }
        return transcript
    }
}
