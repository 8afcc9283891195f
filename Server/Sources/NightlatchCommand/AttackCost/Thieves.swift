import Nightlatch

/// Describes for each slot of a vault what a thief would still need: with the device's files, with the server's data,
/// or with both.
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
        if protection.ways.contains(.biometrics) { protectors.append(.biometrics) }
        if protection.ways.contains(.recoveryPhrase) { protectors.append(.recoveryPhrase) }
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
        case .pinChange: ", by the change of the PIN that is under way,"
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
                "needs time alone, and that is little: \(search). Keep the files to yourself, or have the PIN hang on the server too: "
                + "`nightlatch pin two-party`."
            server = "needs this device's files: the server has no part in the PIN."
            both = "needs no more time than with this disk alone."
            return
        }
        guard let account = device.account else {
            disk =
                "needs the chip of this device for every PIN that is tried. Nothing in a copy tells a right PIN from a wrong one."
            server = "needs this device: the server has no part in the PIN."
            both = "needs the chip of this device for every PIN that is tried."
            return
        }
        server = "needs this device's files: nothing there depends on the PIN."
        if hasLocalTier {
            disk =
                "needs time alone, and that is little: \(search). The PIN hangs on \(account.issuer) too, but this vault has a local tier, which "
                + "opens it without the server. An app that allows none drops it at the next unlock; change the PIN then."
            both = "needs no more time than with this disk alone."
        } else {
            disk =
                "needs \(account.issuer) for every PIN that is tried: it counts them, and destroys its part after too many. Nothing in a "
                + "copy of the files as they are now tells a right PIN from a wrong one."
            both = "needs time alone: \(search)."
        }
    }

    fileprivate static let biometrics = Self(
        kind: .biometrics,
        disk:
            "needs the key that a face or a finger releases: it is the system's to keep, and the files hold what it opens. The server is "
            + "not asked.",
        server: "needs this device's files: the server has no part in it.",
        both: "needs what the thief of this disk does.")

    fileprivate static let recoveryPhrase = Self(
        kind: .recoveryPhrase,
        disk:
            "needs the words: they were drawn at random with 128 bits or more, so nobody finds them by trying. The server is not asked.",
        server: "needs this device's files: the server has no part in it.",
        both: "needs what the thief of this disk does.")
}
