import Crypto
import Foundation
import NightlatchWire

/// The whole record of one vault, written at once with every change.
///
/// - ``sealed``: the content that the vault key vouches for, and the slots that wrap that key.
/// - ``ledger`` and ``revision``: they change while the vault is locked, so the vault key cannot vouch for them. If the
///   store has a key, that key authenticates them with ``recordMAC``.
/// - ``change``: everything under the new PIN during a change of PIN. It replaces ``sealed`` in one write after it was
///   read back and opened. The next unlock drops an unfinished change.
struct VaultRecord: Codable, Hashable, Sendable {
    /// From format 2 on, a record has a ``checksum``, and its sealed parts name their ``SealedFormat``.
    static let oldestFormat = 1
    static let newestFormat = 2
    /// The largest size of a record, in bytes. Every attempt writes the whole record, so it stays small.
    static let byteCountLimit = 256 * 1024

    private(set) var format = Self.newestFormat
    /// SHA-256 over everything except ``recordMAC``; nil in format 1.
    ///
    /// It detects accidental damage before a PIN is tried, since damage that is found later counts as a wrong PIN. It
    /// authenticates nothing.
    private(set) var checksum: RecordChecksum?
    let vaultID: VaultID
    var revision: UInt64
    var ledger: LockoutLedger
    /// The guesses that the hardener counts, as far as the device knows them; nil for none.
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

    /// Whether the last guess that the hardener allows is known to have been wrong, or its keys are known to be
    /// destroyed.
    var isUsedUp: Bool { sealed.slots.pin?.hardened != nil && guesses?.isUsedUp == true }

    /// Records the outcome of a guess at the hardener.
    mutating func noteGuess(_ note: (inout GuessLedger) -> Void) {
        var ledger = guesses ?? GuessLedger()
        note(&ledger)
        guesses = ledger == GuessLedger() ? nil : ledger
    }

    /// Returns the format of the part that `slot` belongs to: the current state, or a pending change.
    func format(of slot: PinSlot) -> SealedFormat {
        (sealed.slots.pin == slot ? sealed : change ?? sealed).content.sealedFormat
    }

    /// Converts the record to the newest format, with its checksum.
    mutating func seal() {
        format = Self.newestFormat
        checksum = expectedChecksum
    }

    /// The value that ``checksum`` must have.
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
