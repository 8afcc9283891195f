/// The console's templates. They are compiled in, because an installed program has no resource folder. Every `{{…}}` is
/// escaped, and no template writes a value unescaped.
enum ConsoleTemplate: String, CaseIterable, Sendable {
    // Partials.
    case frame
    case time
    case devices
    case transactions
    case events
    case journeyKeys
    case journeySessions
    case userTable
    case searchForm
    case letters
    case pages
    case reasonField

    // Pages.
    case signIn
    case overview
    case find
    case users
    case deviceList
    case transactionList
    case remoteLogins
    case user
    case userDeletion
    case device
    case journeyKey
    case renaming
    case confirmation
    case transaction
    case apps
    case app
    case appForm
    case webhooks
    case webhook
    case audit
    case policy
    case subjectPolicy
    case operators
    case operatorForm
    case operatorCode
    case refusal

    var text: String {
        switch self {
        case .frame: Self.frameText
        case .time: Self.timeText
        case .devices: Self.devicesText
        case .transactions: Self.transactionsText
        case .events: Self.eventsText
        case .journeyKeys: Self.journeyKeysText
        case .journeySessions: Self.journeySessionsText
        case .userTable: Self.userTableText
        case .searchForm: Self.searchFormText
        case .letters: Self.lettersText
        case .pages: Self.pagesText
        case .reasonField: Self.reasonFieldText
        case .signIn: Self.signInText
        case .overview: Self.overviewText
        case .find: Self.findText
        case .users: Self.usersText
        case .deviceList: Self.deviceListText
        case .transactionList: Self.transactionListText
        case .remoteLogins: Self.remoteLoginsText
        case .user: Self.userText
        case .userDeletion: Self.userDeletionText
        case .device: Self.deviceText
        case .journeyKey: Self.journeyKeyText
        case .renaming: Self.renamingText
        case .confirmation: Self.confirmationText
        case .transaction: Self.transactionText
        case .apps: Self.appsText
        case .app: Self.appText
        case .appForm: Self.appFormText
        case .webhooks: Self.webhooksText
        case .webhook: Self.webhookText
        case .audit: Self.auditText
        case .policy: Self.policyText
        case .subjectPolicy: Self.subjectPolicyText
        case .operators: Self.operatorsText
        case .operatorForm: Self.operatorFormText
        case .operatorCode: Self.operatorCodeText
        case .refusal: Self.refusalText
        }
    }
}
