/// The result of a check on this device.
public enum Verdict: String, Codable, Hashable, Sendable, CaseIterable {
    case held
    case didNotHold = "did_not_hold"
    /// This device cannot show it, for example because it has no Secure Enclave.
    case notPossible = "not_possible"
}

/// The next step of the user in a guided check.
public enum GuidedStep: String, Codable, Hashable, Sendable, CaseIterable {
    case countPrompts = "count_prompts"
    case changeEnrolment = "change_enrolment"
    case removeApp = "remove_app"
    case makeBackup = "make_backup"
    case restoreBackup = "restore_backup"
}

/// The observations of a check: codes, numbers and sizes, by name. No secrets.
public typealias Facts = [String: String]

/// The progress of a check.
public enum CheckState: Hashable, Sendable {
    case notRun
    /// A guided check waits for a step of the user. Removing or restarting the app does not end it.
    case waiting(GuidedStep)
    /// - Parameter time: The time of the result, in the form of RFC 3339.
    case done(Verdict, Facts, time: String)
}

/// The end of one run of a check.
enum CheckOutcome: Hashable, Sendable {
    case done(Verdict, Facts)
    /// The check continues after a step of the user, with notes that it needs then.
    case waiting(GuidedStep, notes: Facts)
    /// Nothing was decided, for example because the user cancelled a prompt. The state is the same as before.
    case undecided(problem: String)
}
