import Nightlatch

/// What whoever steals one part or another of what a PIN hangs on would still need, in plain words.
struct Thieves: Encodable {
    /// Who has a copy of this device's files.
    let disk: String
    /// Who has the server's database and its master key.
    let server: String
    /// Who has both, of the same time.
    let both: String

    /// Nil for a vault that no PIN opens.
    init?(of protection: VaultProtection) {
        guard let parameters = protection.keyDerivation else { return nil }
        let cost = AttackCost(of: parameters)
        let time = cost.time(toTry: PinSpace.sixDigits.pinCount).whole.approximately
        let search =
            "one \(cost.benchmark.hardware) tries all six-digit PINs in \(time)"
        if let account = protection.hardener?.account, protection.hasLocalTier {
            disk =
                "needs time alone, and that is little: \(search). The PIN hangs on \(account.issuer) too, but this vault has a local tier, which "
                + "opens it without the server. An app that allows none drops it at the next unlock; change the PIN then."
            server = "needs this device's files: nothing there depends on the PIN."
            both = "needs no more time than with this disk alone."
        } else if let account = protection.hardener?.account {
            disk =
                "needs \(account.issuer) for every PIN that is tried: it counts them, and destroys its part after too many. Nothing in a "
                + "copy tells a right PIN from a wrong one."
            server = "needs this device's files: nothing there depends on the PIN."
            both = "needs time alone: \(search)."
        } else if protection.hardener != nil {
            disk =
                "needs the chip of this device for every PIN that is tried. Nothing in a copy tells a right PIN from a wrong one."
            server = "needs this device: the server has no part in the PIN."
            both = "needs the chip of this device for every PIN that is tried."
        } else {
            disk =
                "needs time alone, and that is little: \(search). Keep the files to yourself, or have the PIN hang on the server too: "
                + "`nightlatch pin two-party`."
            server = "needs this device's files: the server has no part in the PIN."
            both = "needs no more time than with this disk alone."
        }
    }

    var sentences: [String] {
        ["A thief of this disk \(disk)", "A thief of the server \(server)", "A thief of both \(both)"]
    }
}
