import Nightlatch
import NightlatchWire
import Testing

/// Counts the answers that devices get while servers fail, and lets a test wait for more of them.
actor FaultTally {
    enum Outcome {
        case loggedIn
        /// The server reported that it cannot use its store.
        case unavailable
    }

    /// The logins that were answered with success, so they must be in the database at the end.
    private(set) var logins: [Challenge] = []
    private(set) var decisions: [TransactionID: TransactionState] = [:]
    private(set) var bindings: Set<DeviceID> = []
    private(set) var revocations: Set<DeviceID> = []
    /// The number of logins that servers recorded without a grant reaching the device: the only answer was "challenge
    /// used".
    private(set) var lostLoginCount = 0
    /// Whether the devices stop after one more round.
    private(set) var isOver = false
    private var unavailableCount = 0
    private var fault = Fault(number: 0, isOn: false)
    private var waiter: (outcome: Outcome, count: Int, continuation: CheckedContinuation<Void, Never>)?

    /// Whether something is broken at the moment, and how many faults there have been.
    struct Fault: Equatable {
        fileprivate var number: Int
        fileprivate var isOn: Bool
    }

    /// The fault at this moment; a device reads it before it sends a request.
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

    /// Records that a server failed. A failure is allowed only during a fault and only with the code `unavailable`.
    ///
    /// - Parameters:
    ///   - refusal: The server's answer.
    ///   - before: The fault at the time of the request.
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

    /// Returns when there are `more` further answers of this kind.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first, for example by the time limit.
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
