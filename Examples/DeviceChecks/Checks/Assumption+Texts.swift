extension Assumption {
    /// The assumption, as the first column of the table in docs/apple.md.
    public var text: String {
        switch self {
        case .keychainSwap: "`SecItemUpdate` searches and changes in one transaction"
        case .keychainProcesses: "`SecItemUpdate` does so for several processes too"
        case .keychainGenericAttribute:
            "an item can be found by its `kSecAttrGeneric`, and an update can change that attribute"
        case .keychainSize: "the Keychain stores an item of 512 KiB"
        case .silentPassword:
            "an `LAContext` with `interactionNotAllowed` accepts an application password as a credential; on such a "
                + "context, keys with `applicationPassword` can be made and used without a prompt"
        case .wrongPassword: "a wrong application password is refused with a code for \"authentication failed\""
        case .onePrompt:
            "after a policy was evaluated on a context, a key with `biometryCurrentSet` or `userPresence` works on that "
                + "context without a second prompt"
        case .hpkeKeyType: "CryptoKit's HPKE accepts a private key type of this package"
        case .changedEnrolment:
            "after a change of the enrolment, the key throws one of the codes below, and the enrolment's hash is "
                + "different"
        case .reinstall: "when an app is removed, the system deletes its files, but not its items in the Keychain"
        case .restore:
            "restoring a backup restores the items of that time, except those that need a passcode; it restores files "
                + "too, unless they are excluded from backups"
        }
    }

    /// The effect on an app if the assumption does not hold, as the second column of the table in docs/apple.md.
    public var consequence: String {
        switch self {
        case .keychainSwap: "two writers could both win"
        case .keychainProcesses: "an app and its extension could both win, and a counted failure could be lost"
        case .keychainGenericAttribute: "every second write of a record fails with a conflict"
        case .keychainSize: "writing a large vault throws `full` or `refused`"
        case .silentPassword: "keys cannot be made, or used"
        case .wrongPassword:
            "a `SecureEnclavePinSlot` and a `ChipPinHardener` report a wrong PIN as `unavailable`, and the vault does not "
                + "count it"
        case .onePrompt:
            "using the key fails with a code. The system shows no second prompt without a text, because "
                + "`interactionNotAllowed` is set on the context after the evaluation"
        case .hpkeKeyType: "biometrics open no box (`corrupt`)"
        case .changedEnrolment:
            "the error is `failed` with the code, not `enrolmentChanged`; in both cases the user enters the PIN"
        case .reinstall: "an earlier installation leaves nothing to erase, and its lockout does not survive"
        case .restore: "a vault's old count of failures is not restored, or its record is lost with the old device"
        }
    }

    /// ``text`` or ``consequence`` without the marks of Markdown.
    public static func plain(_ text: String) -> String { text.filter { $0 != "`" } }
}
