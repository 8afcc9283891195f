/// The subject of operations. The raw value is its name, from which generators derive the name of a module.
package enum OpenAPITag: String, CaseIterable, Sendable {
    case server = "Server"
    case enrolment = "Enrolment"
    case login = "Login"
    case devices = "Devices"
    case transactions = "Transactions"
    case decisions = "Decisions"
    case remoteLogins = "Remote logins"
    case twoPartyPin = "Two-party PIN"
    case apps = "Apps"
    case profiles = "Profiles"
    case policies = "Policies"
    case administration = "Administration"

    var description: String {
        switch self {
        case .server: "Health, the published keys, and descriptions."
        case .enrolment: "Codes and passwords with which a user binds a device, and the binding."
        case .login: "Logins of devices, and their tokens."
        case .devices: "A user's own devices."
        case .transactions: "An app's backend asks users for decisions on payments and the like."
        case .decisions: "A device decides transactions."
        case .remoteLogins: "A device decides logins in a browser, and those that a backend asks for."
        case .twoPartyPin: "The server's half of a PIN."
        case .apps: "The registered apps."
        case .profiles: "Profiles of users."
        case .policies: "Demands on PINs and devices, of apps and of single users."
        case .administration: "The work of operators, for their programs. docs/administration.md has the keys and their scopes."
        }
    }
}
