import Nightlatch

/// Describes, for each slot of a vault, the obstacles for a thief with the device's files, the server's data, or both.
///
/// The vault is as safe as its weakest slot.
struct Thieves: Encodable {
    /// A slot of the vault, and what a thief needs to open it.
    struct Protector: Encodable {
        enum Kind: String, Encodable {
            case pin, biometrics
            /// A change of the PIN that is in progress.
            case pinChange = "pin_change"
            case recoveryPhrase = "recovery_phrase"
        }

        let kind: Kind
        /// The obstacles for a thief with a copy of this device's files.
        let disk: String
        /// The obstacles for a thief with the server's database and master key.
        let server: String
        /// The obstacles for a thief with both, copied at the same time.
        let both: String
    }

    private let protectors: [Protector]

    init(of protection: VaultProtection) {
        var protectors: [Protector] = []
        if let parameters = protection.keyDerivation {
            protectors.append(
                Protector(
                    .pin, stretchedBy: parameters, hardenedBy: protection.hardener,
                    hasLocalTier: protection.hasLocalTier))
        }
        if let pending = protection.pendingPin {
            protectors.append(
                Protector(
                    .pinChange, stretchedBy: pending.keyDerivation, hardenedBy: pending.hardener,
                    hasLocalTier: pending.hasLocalTier))
        }
        if protection.slots.contains(.biometrics) { protectors.append(.biometrics) }
        if protection.slots.contains(.recoveryPhrase) { protectors.append(.recoveryPhrase) }
        self.protectors = protectors
    }

    func encode(to encoder: any Encoder) throws { try protectors.encode(to: encoder) }

    /// Three sentences for each slot.
    var sentences: [String] {
        protectors.flatMap { protector in
            let way = protector.kind.way
            return [
                "A thief of this disk\(way) \(protector.disk)", "A thief of the server\(way) \(protector.server)",
                "A thief of both\(way) \(protector.both)",
            ]
        }
    }
}

extension Thieves.Protector.Kind {
    /// The words that name the slot in a sentence. Empty for the PIN: a sentence that names no slot is about the PIN.
    fileprivate var way: String {
        switch self {
        case .pin: ""
        case .pinChange: ", by the PIN change that is in progress,"
        case .biometrics: ", by biometrics,"
        case .recoveryPhrase: ", by the recovery phrase,"
        }
    }
}

extension Thieves.Protector {
    /// Describes the PIN, or the new PIN of a change that is in progress.
    fileprivate init(
        _ kind: Kind,
        stretchedBy parameters: KeyDerivationParameters,
        hardenedBy device: HardenedDevice?,
        hasLocalTier: Bool
    ) {
        self.kind = kind
        let cost = AttackCost(of: parameters)
        let time = cost.time(toTry: PinSpace.sixDigits.pinCount).whole.approximately
        let search = "one \(cost.benchmark.hardware) tries all six-digit PINs in \(time)"
        guard let device else {
            disk =
                "needs only time: \(search). Protect the files, or make the PIN a two-party PIN: "
                + "`nightlatch pin two-party`."
            server = "needs this device's files: the server has no part in the PIN."
            both = "needs no more time than with this disk alone."
            return
        }
        guard let account = device.account else {
            disk =
                "needs the chip of this device for every PIN that is tried. A copy alone does not show whether a PIN is "
                + "right."
            server = "needs this device: the server has no part in the PIN."
            both = "needs the chip of this device for every PIN that is tried."
            return
        }
        server = "needs this device's files: nothing there depends on the PIN."
        if hasLocalTier {
            disk =
                "needs only time: \(search). The PIN is a two-party PIN with \(account.issuer), but this vault has a local "
                + "tier, which opens it without the server. An app that allows no local tier removes it at the next "
                + "unlock; change the PIN then."
            both = "needs no more time than with this disk alone."
        } else {
            disk =
                "needs \(account.issuer) for every PIN that is tried: it counts them, and destroys its part after too many. "
                + "A copy of the current files alone does not show whether a PIN is right."
            both = "needs only time: \(search)."
        }
    }

    fileprivate static let biometrics = Self(
        kind: .biometrics,
        disk:
            "needs the key that a face or a finger releases: the system protects that key, and the files contain only "
            + "data sealed for it. The server is not asked.",
        server: "needs this device's files: the server has no part in it.",
        both: "needs the same as a thief of this disk.")

    fileprivate static let recoveryPhrase = Self(
        kind: .recoveryPhrase,
        disk:
            "needs the words: they are random, with 128 bits or more, and too many to try. The server is not asked.",
        server: "needs this device's files: the server has no part in it.",
        both: "needs the same as a thief of this disk.")
}
