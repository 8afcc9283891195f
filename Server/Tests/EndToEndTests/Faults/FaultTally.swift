import Nightlatch
import NightlatchWire
import Testing

/// What devices were answered while servers fail, and whoever waits for more of it.
actor FaultTally {
    enum Outcome {
        case loggedIn
        /// A server said that it cannot use its store.
        case unavailable
    }

    /// What was answered with success, and so must be there at the end.
    private(set) var logins: [Challenge] = []
    private(set) var decisions: [TransactionID: TransactionState] = [:]
    private(set) var bindings: Set<DeviceID> = []
    private(set) var revocations: Set<DeviceID> = []
    /// Logins of which nothing was answered but that they had been.
    private(set) var lostLoginCount = 0
    /// No load is wanted any more.
    private(set) var isOver = false
    private var unavailableCount = 0
    private var fault = Fault(number: 0, isOn: false)
    private var waiter: (outcome: Outcome, count: Int, continuation: CheckedContinuation<Void, Never>)?

    /// Whether anything is broken just now, and what broke before it.
    struct Fault: Equatable {
        fileprivate var number: Int
        fileprivate var isOn: Bool
    }

    /// For whoever is about to ask something.
    var currentFault: Fault { fault }

    func beginFault() { fault = Fault(number: fault.number + 1, isOn: true) }

    func endFault() { fault.isOn = false }

    func end() { isOver = true }

    func noteLogin(_ challenge: Challenge) {
        logins.append(challenge)
        notify()
    }

    func noteLostLogin() { lostLoginCount += 1 }

    func noteDecision(_ state: TransactionState, on transaction: TransactionID) { decisions[transaction] = state }

    func noteBinding(_ device: DeviceID) { bindings.insert(device) }

    func noteRevocation(_ device: DeviceID) { revocations.insert(device) }

    /// A server failed: it may do so while something is broken, if it says so.
    ///
    /// - Parameters:
    ///   - refusal: What it said.
    ///   - before: What was broken when it was asked.
    func noteFailure(_ refusal: RelyingPartyRefusal, before: Fault) {
        if refusal.code != .unavailable || refusal.status != 503 || (!before.isOn && before == fault) {
            Issue.record(
                "\(refusal.status) \(refusal.code) where nothing is broken, or none that says what is: \(before)")
        }
        unavailableCount += 1
        notify()
    }

    private func notify() {
        if let waiter, count(of: waiter.outcome) >= waiter.count {
            self.waiter = nil
            waiter.continuation.resume()
        }
    }

    /// Returns when there are `more` than there were.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before, as by the time limit.
    func wait(forMore more: Int, _ outcome: Outcome) async throws {
        precondition(waiter == nil, "one waits at a time")
        let goal = count(of: outcome) + more
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { continuation.resume() } else { waiter = (outcome, goal, continuation) }
            }
        } onCancel: {
            Task { await giveUp() }
        }
        try Task.checkCancellation()
    }

    private func giveUp() { waiter.take()?.continuation.resume() }

    private func count(of outcome: Outcome) -> Int {
        switch outcome {
        case .loggedIn: logins.count
        case .unavailable: unavailableCount
        }
    }
}
