import Metrics
import Synchronization

/// Measures the verbs of stores: how long each takes, and which errors occur.
///
/// A store measures in the function that runs its transactions, so a new verb needs no measuring code.
package enum StoreMetrics {
    private static let errors: [RelyingPartyStoreError.Kind: Counter] = Dictionary(
        uniqueKeysWithValues: RelyingPartyStoreError.Kind.allCases.map {
            ($0, Counter(.storeErrors, [("kind", $0.rawValue)]))
        })

    /// The timers, by the verb's function.
    private static let durations = Mutex<[String: Metrics.Timer]>([:])

    /// Creates the error counters, so that each is exported as 0 before its first error.
    package static func prepare() { _ = errors }

    /// Runs a verb, and measures it. The time of a verb that fails is recorded too; its error is counted and thrown.
    ///
    /// A verb of several transactions measures itself as a whole, and passes nil for its parts.
    ///
    /// - Parameters:
    ///   - function: The store's function; nil for a part of a verb that is measured as a whole.
    ///   - run: The verb. The time that it waits is measured too.
    package static func measure<Value>(
        _ function: String? = #function,
        _ run: () async throws(RelyingPartyStoreError) -> Value
    ) async throws(RelyingPartyStoreError) -> Value {
        guard let function else { return try await run() }
        let start = ContinuousClock.now
        defer { duration(of: function).record(since: start) }
        do {
            return try await run()
        } catch {
            errors[error.kind]?.increment()
            throw error
        }
    }

    /// Like the asynchronous `measure`, for a verb that does not wait.
    package static func measure<Value>(
        _ function: String? = #function,
        _ run: () throws(RelyingPartyStoreError) -> Value
    ) throws(RelyingPartyStoreError) -> Value {
        guard let function else { return try run() }
        let start = ContinuousClock.now
        defer { duration(of: function).record(since: start) }
        do {
            return try run()
        } catch {
            errors[error.kind]?.increment()
            throw error
        }
    }

    private static func duration(of function: String) -> Metrics.Timer {
        durations.withLock { durations in
            if let duration = durations[function] { return duration }
            let duration = Metrics.Timer(.storeSeconds, [("verb", verb(of: function))])
            durations[function] = duration
            return duration
        }
    }

    /// The function's name without its arguments. Functions with the same name get different verbs.
    private static func verb(of function: String) -> String {
        switch function {
        case "user(enrolledBy:deviceKey:)": "userEnrolled"
        case "device(withKey:of:)": "deviceWithKey"
        default: String(function.prefix { $0 != "(" })
        }
    }
}
