/// An assumption of the adapters for Apple systems, and the check that tests it. Each is a row of the table in
/// docs/apple.md, in the same order.
public enum Assumption: String, Codable, Hashable, Sendable, CaseIterable, Identifiable {
    case keychainSwap = "keychain.swap"
    case keychainProcesses = "keychain.processes"
    case keychainGenericAttribute = "keychain.generic-attribute"
    case keychainSize = "keychain.size"
    case silentPassword = "enclave.silent-password"
    case wrongPassword = "enclave.wrong-password"
    case onePrompt = "biometrics.one-prompt"
    case hpkeKeyType = "hpke.key-type"
    case changedEnrolment = "biometrics.changed-enrolment"
    case reinstall = "installation.reinstall"
    case restore = "installation.restore"

    public var id: Self { self }

    /// The parts of the list.
    public enum Section: String, CaseIterable, Sendable, Identifiable {
        case keychain = "Keychain"
        case secureEnclave = "Secure Enclave"
        case biometrics = "Biometrics"
        case installation = "Removal and backup"

        public var id: Self { self }

        public var assumptions: [Assumption] { Assumption.allCases.filter { $0.section == self } }
    }

    public var section: Section {
        switch self {
        case .keychainSwap, .keychainProcesses, .keychainGenericAttribute, .keychainSize: .keychain
        case .silentPassword, .wrongPassword, .hpkeKeyType: .secureEnclave
        case .onePrompt, .changedEnrolment: .biometrics
        case .reinstall, .restore: .installation
        }
    }

    /// Whether the check needs the user: a second process, a prompt, a change in Settings, or a new installation.
    public var isGuided: Bool {
        switch self {
        case .keychainSwap, .keychainGenericAttribute, .keychainSize, .silentPassword, .wrongPassword, .hpkeKeyType:
            false
        case .keychainProcesses, .onePrompt, .changedEnrolment, .reinstall, .restore: true
        }
    }
}
