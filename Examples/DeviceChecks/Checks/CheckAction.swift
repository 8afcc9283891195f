/// An action of the user on a check.
public enum CheckAction: Hashable, Sendable, CaseIterable {
    /// Runs the check from its beginning. The earlier result is dropped.
    case run
    /// The user has done the step that the check waits for.
    case proceed
    /// The answers to the question of a step.
    case yes, no
    /// The user had begun the check before the app was removed, but the app has no record of it.
    case itemsAreGone

    public var title: String {
        switch self {
        case .run: "Run"
        case .proceed: "Done: continue"
        case .yes: "Yes"
        case .no: "No"
        case .itemsAreGone: "I had begun this check before I removed the app"
        }
    }
}

extension CheckState {
    /// The actions that the app offers in this state.
    ///
    /// - Parameters:
    ///   - assumption: The assumption of the check.
    ///   - startsWithoutItems: Whether this is the first start of an installation, and there was no record in the
    ///     Keychain.
    public func actions(of assumption: Assumption, startsWithoutItems: Bool) -> [CheckAction] {
        switch self {
        case .notRun where assumption == .reinstall && startsWithoutItems: [.run, .itemsAreGone]
        case .notRun, .done: [.run]
        case .waiting(.countPrompts): [.yes, .no, .run]
        case .waiting(.changeEnrolment), .waiting(.makeBackup): [.proceed, .run]
        // The next start of the app shows that the step was done.
        case .waiting(.removeApp), .waiting(.restoreBackup): [.run]
        }
    }
}

extension GuidedStep {
    /// The instruction or question for the user.
    public var instruction: String {
        switch self {
        case .countPrompts: "Did exactly two prompts appear, one for each key?"
        case .changeEnrolment:
            "In Settings, add a face or a finger, or remove one and add it again. Then come back. Up to two prompts follow."
        case .removeApp: "Remove the app from this device, with its data. Install it again and open it."
        case .makeBackup:
            "Make an encrypted backup of this device on a computer. Do not change anything here before it is complete."
        case .restoreBackup: "Restore the backup to this device. Then open the app."
        }
    }
}
