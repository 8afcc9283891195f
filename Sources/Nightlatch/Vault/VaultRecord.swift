import NightlatchWire

/// All that is kept of one vault, written as a whole with every change.
///
/// ``sealed`` is what the vault key vouches for, and the ways to that key. ``ledger`` and ``revision`` move while the vault is
/// locked, so it cannot vouch for them; a key of the store does, by ``recordMAC``, where the store has one. ``change`` is
/// everything under the new PIN while a PIN change is under way: it takes the place of ``sealed`` in one write once it was read
/// back and opened, and is dropped at the next unlock if that never came.
struct VaultRecord: Codable, Hashable, Sendable {
    static let newestFormat = 1
    /// Every attempt writes the record anew, so it stays small.
    static let byteCountLimit = 256 * 1024

    private(set) var format = Self.newestFormat
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

    private enum CodingKeys: String, CodingKey {
        case format
        case vaultID = "vault_id"
        case revision, ledger, guesses
        case recordMAC = "record_mac"
        case sealed, change
    }
}
