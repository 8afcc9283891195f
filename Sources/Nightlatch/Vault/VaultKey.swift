import Crypto
import Foundation
import NightlatchWire

/// The random key of one vault, with the keys derived from it. It is in memory while the vault is open.
///
/// It is swift-crypto's `SymmetricKey`, which overwrites its memory when the last reference is released.
struct VaultKey: Sendable {
    static let byteCount = 32

    private let key: SymmetricKey
    private let vaultID: VaultID
    /// The format in which the key seals.
    let format: SealedFormat

    /// Creates a random key of the newest format.
    init(vaultID: VaultID) {
        key = SymmetricKey(size: .bits256)
        self.vaultID = vaultID
        format = .newest
    }

    /// Creates a key from exactly 32 bytes; nil for any other number. A box that opens but contains anything else holds
    /// no vault key.
    init?(_ bytes: borrowing SecretBytes, vaultID: VaultID, format: SealedFormat) {
        guard bytes.byteCount == Self.byteCount else { return nil }
        key = unsafe bytes.withUnsafeBytes { unsafe SymmetricKey(data: UnsafeRawBufferPointer($0)) }
        self.vaultID = vaultID
        self.format = format
    }

    /// The key as bytes, for wrapping.
    var bytes: SecretBytes {
        unsafe SecretBytes(byteCount: Self.byteCount) { memory in
            unsafe key.withUnsafeBytes { unsafe memory.copyMemory(from: $0) }
        }
    }

    func seal(_ secret: borrowing SecretBytes, as name: SecretName) -> SealedBytes {
        SealedBytes(sealing: secret, under: itemKey(name), authenticating: itemDescription(name))
    }

    /// Opens a box; nil if this key did not seal it under `name`.
    func open(_ box: SealedBytes, as name: SecretName) -> SecretBytes? {
        box.open(under: itemKey(name), authenticating: itemDescription(name))
    }

    /// Seals the previous key, `before`, under this key.
    ///
    /// - Parameter keepingRecipients: The value of ``SealedVault/keepsRecipients``, which the box authenticates too.
    func sealPredecessor(_ before: VaultKey, keepingRecipients: Bool) -> SealedBytes {
        SealedBytes(
            sealing: before.bytes, under: predecessorKey, authenticating: predecessorDescription(keepingRecipients))
    }

    /// Opens the previous key; nil if this key did not seal it.
    ///
    /// - Parameter format: The format in which the previous key seals.
    func openPredecessor(_ box: SealedBytes, keepingRecipients: Bool, format: SealedFormat) -> VaultKey? {
        guard
            let bytes = box.open(under: predecessorKey, authenticating: predecessorDescription(keepingRecipients))
        else { return nil }
        return VaultKey(bytes, vaultID: vaultID, format: format)
    }

    /// Returns content that this key vouches for.
    func vouch(
        for items: [String: SealedBytes],
        recipients: VaultRecipients,
        epoch: UInt64,
        generation: UInt64,
        isPinHardened: Bool,
        isRekeyDue: Bool = false
    ) -> VaultContent {
        let isReadable = format == .first
        let marks = ContentMarks(isPinHardened: isPinHardened && !isReadable, isRekeyDue: isRekeyDue)
        let stored =
            isReadable
            ? StoredRecipients(readable: recipients.marked(false), sealed: nil)
            : StoredRecipients(readable: nil, sealed: seal(recipients))
        let transcript = transcript(of: items, stored, epoch: epoch, generation: generation, marks)
        let code = CryptographyResidue.wiping {
            HMAC<SHA256>.authenticationCode(for: transcript.bytes, using: macKey)
        }
        return VaultContent(
            epoch: epoch, generation: generation, format: isReadable ? nil : format,
            readableRecipients: stored.readable, sealedRecipients: stored.sealed,
            isPinHardened: marks.isPinHardened ? true : nil, isRekeyDue: isRekeyDue ? true : nil,
            items: items, mac: VaultMAC(unchecked: Base64URL.encode(Data(code))))
    }

    /// Whether this key vouches for `content`. The comparison is in constant time.
    func vouches(for content: VaultContent) -> Bool {
        guard content.sealedFormat == format else { return false }
        let transcript = transcript(
            of: content.items,
            StoredRecipients(readable: content.readableRecipients, sealed: content.sealedRecipients),
            epoch: content.epoch, generation: content.generation,
            ContentMarks(
                isPinHardened: content.isPinHardened ?? false, isRekeyDue: content.isRekeyDue ?? false))
        return CryptographyResidue.wiping {
            HMAC<SHA256>.isValidAuthenticationCode(
                content.mac.bytes, authenticating: transcript.bytes, using: macKey)
        }
    }

    /// Returns the recipients that the key is wrapped for. Those in content of ``SealedFormat/first`` are marked as
    /// readable.
    ///
    /// - Throws: ``VaultError/corrupt``, never for content that this key vouches for.
    func recipients(in content: VaultContent) throws(VaultError) -> VaultRecipients {
        if let readable = content.readableRecipients { return readable.marked(true) }
        guard let box = content.sealedRecipients,
            let text = box.open(under: recipientsKey, authenticating: recipientsDescription)
        else { throw .corrupt }
        do {
            // These are public keys, so no copy needs to be wiped.
            return try StrictJSON.decode(VaultRecipients.self, from: unsafe text.withUnsafeBytes { unsafe Array($0) })
        } catch {
            throw .corrupt
        }
    }

    /// Returns the values that a slot of this vault is bound to, besides the key that opens it.
    func slotInfo(_ slot: VaultSlot, epoch: UInt64) -> Transcript {
        Self.slotInfo(slot, vaultID: vaultID, epoch: epoch, format: format)
    }

    static func slotInfo(_ slot: VaultSlot, vaultID: VaultID, epoch: UInt64, format: SealedFormat) -> Transcript {
        var info = Transcript("nightlatch slot")
        info.append(format.number)
        info.append(vaultID.rawValue)
        info.append(slot.rawValue)
        info.append(epoch)
        return info
    }

    private var macKey: SymmetricKey { derive(Transcript("nightlatch vault mac")) }

    private var predecessorKey: SymmetricKey { derive(Transcript("nightlatch vault predecessor key")) }

    private var recipientsKey: SymmetricKey { derive(Transcript("nightlatch vault recipients key")) }

    private var recipientsDescription: Transcript {
        var description = Transcript("nightlatch vault recipients")
        description.append(format.number)
        description.append(vaultID.rawValue)
        return description
    }

    private func seal(_ recipients: VaultRecipients) -> SealedBytes {
        SealedBytes(
            sealing: SecretBytes(copying: StrictJSON.encode(recipients)), under: recipientsKey,
            authenticating: recipientsDescription)
    }

    private func predecessorDescription(_ keepsRecipients: Bool) -> Transcript {
        var description = Transcript(
            keepsRecipients ? "nightlatch vault predecessor, recipients kept" : "nightlatch vault predecessor")
        description.append(format.number)
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
        description.append(format.number)
        description.append(vaultID.rawValue)
        description.append(name.rawValue)
        return description
    }

    private func transcript(
        of items: [String: SealedBytes],
        _ recipients: StoredRecipients,
        epoch: UInt64,
        generation: UInt64,
        _ marks: ContentMarks
    ) -> Transcript {
        var transcript = Transcript(
            marks.isRekeyDue ? "nightlatch vault content, rekey due" : "nightlatch vault content")
        transcript.append(format.number)
        transcript.append(vaultID.rawValue)
        transcript.append(epoch)
        transcript.append(generation)
        switch format {
        case .first: transcript.append([UInt8](StrictJSON.encode(recipients.readable)))
        case .second:
            transcript.append(marks.isPinHardened ? 1 : 0 as UInt64)
            transcript.append(recipients.sealed?.bytes ?? [])
        }
        for (name, box) in items.sorted(by: { $0.key < $1.key }) {
            transcript.append(name)
            transcript.append(box.bytes)
        }
        return transcript
    }
}

/// The recipients as content stores them: readable in ``SealedFormat/first``, sealed in later formats.
private struct StoredRecipients {
    let readable: VaultRecipients?
    let sealed: SealedBytes?
}

/// The Boolean values of content.
private struct ContentMarks {
    let isPinHardened: Bool
    let isRekeyDue: Bool
}
