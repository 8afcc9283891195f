import Crypto
import Foundation
import NightlatchWire

/// All that is kept of one vault, written as a whole with every change.
///
/// ``sealed`` is what the vault key vouches for, and the ways to that key. ``ledger`` and ``revision`` move while the vault is
/// locked, so it cannot vouch for them; a key of the store does, by ``recordMAC``, where the store has one. ``change`` is
/// everything under the new PIN while a PIN change is under way: it takes the place of ``sealed`` in one write once it was read
/// back and opened, and is dropped at the next unlock if that never came.
struct VaultRecord: Codable, Hashable, Sendable {
    /// From 2 on a record has a ``checksum``, and its sealed parts say which ``SealedFormat`` they are of.
    static let oldestFormat = 1
    static let newestFormat = 2
    /// Every attempt writes the record anew, so it stays small.
    static let byteCountLimit = 256 * 1024

    private(set) var format = Self.newestFormat
    /// SHA-256 over everything else but ``recordMAC``; nil in format 1. It tells a record that was damaged by accident before a PIN is tried,
    /// since what is found after that counts as a wrong PIN. It authenticates nothing.
    private(set) var checksum: RecordChecksum?
    let vaultID: VaultID
    var revision: UInt64
    var ledger: LockoutLedger
    /// What is known of the hardener's count; nil where it has none.
    var guesses: GuessLedger?
    var recordMAC: VaultMAC?
    var sealed: SealedVault
    var change: SealedVault?

    init(vaultID: VaultID, revision: UInt64, ledger: LockoutLedger, sealed: SealedVault) {
        self.vaultID = vaultID
        self.revision = revision
        self.ledger = ledger
        self.sealed = sealed
    }

    /// Whether the last guess that the PIN's hardener gives is known to have been a wrong one.
    var isUsedUp: Bool { sealed.slots.pin?.hardened != nil && guesses?.isUsedUp == true }

    /// Writes down what became of a guess at the hardener.
    mutating func noteGuess(_ note: (inout GuessLedger) -> Void) {
        var ledger = guesses ?? GuessLedger()
        note(&ledger)
        guesses = ledger == GuessLedger() ? nil : ledger
    }

    /// The format of the part that `slot` belongs to: what is sealed now, or a change of it.
    func format(of slot: PinSlot) -> SealedFormat {
        (sealed.slots.pin == slot ? sealed : change ?? sealed).content.sealedFormat
    }

    /// The record in the newest format, with the checksum that belongs to it.
    mutating func seal() {
        format = Self.newestFormat
        checksum = expectedChecksum
    }

    /// What ``checksum`` must be.
    var expectedChecksum: RecordChecksum? {
        guard format > 1 else { return nil }
        var bare = self
        bare.checksum = nil
        bare.recordMAC = nil
        var transcript = Transcript("nightlatch record checksum")
        transcript.append(StrictJSON.bytes(of: bare))
        return RecordChecksum(unchecked: Base64URL.encode(Data(SHA256.hash(data: transcript.bytes))))
    }

    private enum CodingKeys: String, CodingKey {
        case format, checksum
        case vaultID = "vault_id"
        case revision, ledger, guesses
        case recordMAC = "record_mac"
        case sealed, change
    }
}

/// A hash of a record.
typealias RecordChecksum = Identifier<RecordChecksumRule>

enum RecordChecksumRule: BinaryIdentifierRule {
    static let name = "checksum"
    static let byteCount = 32
}
