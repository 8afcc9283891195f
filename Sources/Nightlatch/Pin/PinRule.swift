/// An app's own rule for new PINs, in addition to its ``PinPolicy``.
///
/// The rule returns nil for a PIN that may be set, and otherwise the reason for the refusal: a sentence that the user
/// sees, in the user's language. The library asks the rule only for PINs that the policy allows and that differ from
/// the current PIN. So the rule can rely on the policy's lengths.
///
/// ```swift
/// var configuration = VaultConfiguration()
/// configuration.pinRule = { [customerNumber] pin in
///     pin.isPart(of: customerNumber) ? String(localized: "It is part of your customer number.") : nil
/// }
/// let vault = Vault(store: store, clock: SystemLockoutClock(), configuration: configuration)
/// ```
///
/// A rule must return quickly, because a pad asks it while the user types, on the main actor. It must not keep, store
/// or send anything about the PIN. A rule that refuses nearly all PINs helps an attacker, who then has few PINs to try.
public typealias PinRule = @Sendable (borrowing Pin) -> String?

extension Pin {
    /// Whether the digits of this PIN occur in `text`, one directly after the other: for example in a telephone number.
    ///
    /// Characters of `text` other than the digits 0 to 9 do not count, so `1990-04-17` contains `900417`.
    public borrowing func isPart(of text: String) -> Bool {
        let given = text.utf8.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return unsafe digits.withUnsafeBytes { own in
            guard given.count >= own.count else { return false }
            return (0...(given.count - own.count)).contains { unsafe given[$0..<($0 + own.count)].elementsEqual(own) }
        }
    }
}
