import Metrics

/// The metrics of a store: the duration of each verb, and the errors by kind.
///
/// As a class, it lets a copy of ``MeasuredStore`` retain one reference instead of one for each verb.
final class StoreMetrics: Sendable {
    /// The metrics of one verb.
    struct Verb: Sendable {
        private let duration: Metrics.Timer

        fileprivate init(_ name: String) {
            duration = Metrics.Timer(.storeSeconds, [("verb", name)])
        }

        func measure<Value>(_ ask: () async throws(StoreError) -> Value) async throws(StoreError) -> Value {
            let start = ContinuousClock.now
            defer { duration.record(since: start) }
            do {
                return try await ask()
            } catch {
                StoreMetrics.errors[error.kind]?.increment()
                throw error
            }
        }
    }

    private static let errors: [StoreError.Kind: Counter] = Dictionary(
        uniqueKeysWithValues: StoreError.Kind.allCases.map { ($0, Counter(.storeErrors, [("kind", $0.rawValue)])) })

    let createEnrolmentCode = Verb("createEnrolmentCode")
    let userEnrolled = Verb("userEnrolled")
    let bind = Verb("bind")
    let device = Verb("device")
    let deviceWithKey = Verb("deviceWithKey")
    let recordLogin = Verb("recordLogin")
    let rotateRefreshToken = Verb("rotateRefreshToken")
    let refreshFamily = Verb("refreshFamily")
    let revokeRefreshFamily = Verb("revokeRefreshFamily")
    let devices = Verb("devices")
    let change = Verb("change")
    let users = Verb("users")
    let user = Verb("user")
    let createTransaction = Verb("createTransaction")
    let transaction = Verb("transaction")
    let transactions = Verb("transactions")
    let voidTransaction = Verb("voidTransaction")
    let decideTransaction = Verb("decideTransaction")
    let setPassword = Verb("setPassword")
    let chargePasswordAttempt = Verb("chargePasswordAttempt")
    let acceptPassword = Verb("acceptPassword")
    let audit = Verb("audit")
    let auditHeads = Verb("auditHeads")
    let auditRows = Verb("auditRows")
    let auditEntries = Verb("auditEntries")
    let purgeExpired = Verb("purgeExpired")
    let checkReadiness = Verb("checkReadiness")
    let signingKeys = Verb("signingKeys")
    let addSigningKey = Verb("addSigningKey")
    let removeSigningKeys = Verb("removeSigningKeys")
    let limitSigningKeys = Verb("limitSigningKeys")
    let forgetSigningKeys = Verb("forgetSigningKeys")
    let journeyDevices = Verb("journeyDevices")
    let journeyDevice = Verb("journeyDevice")
    let isJourneyKeyTaken = Verb("isJourneyKeyTaken")
    let journeyGeneration = Verb("journeyGeneration")
    let recordJourneyStep = Verb("recordJourneyStep")
    let journeySession = Verb("journeySession")
    let journeySessions = Verb("journeySessions")
    let endJourneySessions = Verb("endJourneySessions")
    let endJourneySession = Verb("endJourneySession")
    let renameJourneyDevice = Verb("renameJourneyDevice")
    let removeJourneyDevice = Verb("removeJourneyDevice")
    let endConsoleSession = Verb("endConsoleSession")
    let isConsoleSessionEnded = Verb("isConsoleSessionEnded")
    let pinHardening = Verb("pinHardening")
    let recordPinStep = Verb("recordPinStep")
    let destroyDuePinKeys = Verb("destroyDuePinKeys")

    init() { _ = Self.errors }
}
