import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// The steps in which a payment is confirmed.
struct DemoTransactions {
    let user: UserID
    let issuer: Issuer
    let backendKeyPath: String
    let home: ClientHome
    let vault: Vault
    let open: OpenVault
    let reporter: DemoReporter

    func play(_ session: Session) async throws {
        let backend = HTTPBackend(issuer: issuer, key: try .load(from: backendKeyPath))
        let asked = try await ask(backend)
        try await confirm(asked, session, backend)
        try await refuseChanged(backend)
        try await decideBothWays(session, backend)
    }

    private var decider: TransactionDecider { TransactionDecider(vault: vault, keys: home.keys) }

    private func newRequest() throws -> TransactionRequest {
        let details = try TransactionDetails(
            amount: "129.90", currency: "EUR", payee: "Night Train Ltd",
            lines: [.init(label: "Reference", value: "Berth 7, Friday")],
            expiresAt: NumericDate(Date()) + .seconds(300))
        return TransactionRequest(id: .random(), user: user, devices: .allDevices, details: details)
    }

    private func ask(_ backend: HTTPBackend) async throws -> TransactionRequest {
        try await reporter.step("The app's backend asks the user to confirm a payment") {
            let request = try newRequest()
            let report = try await backend.create(request)
            try DemoFailure.require(report.state == .pending, "unexpected: \(report.state)")
            let again = try await backend.create(request)
            try DemoFailure.require(again == report, "the same request made a second transaction")
            return (request, "\(request.details.summary); asked twice, as after a lost answer, it is one transaction")
        }
    }

    private func confirm(_ asked: TransactionRequest, _ session: Session, _ backend: HTTPBackend) async throws {
        try await reporter.step("The device shows it, and the PIN confirms it") {
            let pending = try await find(asked.id, in: session)
            try DemoFailure.require(pending.details == asked.details, "the device shows something else")
            do {
                try await decider.confirm(pending, in: session, pin: try .demo(DemoPin.wrong))
                throw DemoFailure("a wrong PIN confirmed a payment")
            } catch DecisionError.refused(.wrong(triesLeft: 9, wait: nil)) {
                // As expected. The right PIN then clears the count of failed attempts.
            }
            try await decider.confirm(pending, in: session, pin: try .demo(DemoPin.first))
            let report = try await backend.transaction(asked.id)
            guard report.state == .confirmed, let proof = report.proof else {
                throw DemoFailure("the backend sees no confirmation")
            }
            let claims = try CompactJWS(proof.message).claims(DecisionClaims.self)
            try DemoFailure.require(
                claims.detailsHash == asked.details.hash && claims.transaction == asked.id,
                "the device signed something else")
            return "a wrong PIN decides nothing; the signed message carries the hash of what the backend meant"
        }
    }

    private func refuseChanged(_ backend: HTTPBackend) async throws {
        try await reporter.step("A payee that was changed on the way is refused") {
            guard let payee = Payee(rawValue: "Mallory Ltd") else { throw DemoFailure("no payee") }
            let asked = try newRequest()
            _ = try await backend.create(asked)
            let between = ChangingRelyingParty(base: HTTPRelyingParty(issuer: issuer), payee: payee)
            let session = try await Login(relyingParty: between, keys: home.keys).resume(open)
            let shown = try await find(asked.id, in: session)
            do {
                try await decider.confirm(shown, in: session, pin: try .demo(DemoPin.first))
                throw DemoFailure("a changed payment was confirmed")
            } catch DecisionError.changed {
                let report = try await backend.void(asked.id)
                try DemoFailure.require(report.state == .voided, "it could not be voided")
                return "shown and signed was \(shown.details.payee), so the server says no; the backend takes it back"
            }
        }
    }

    private func decideBothWays(_ session: Session, _ backend: HTTPBackend) async throws {
        try await reporter.step("A payment that is confirmed and rejected at the same time has one outcome") {
            let asked = try newRequest()
            _ = try await backend.create(asked)
            let pending = try await find(asked.id, in: session)
            async let yes = isTaken(.confirm, of: pending, in: session)
            async let no = isTaken(.reject, of: pending, in: session)
            let (confirmed, rejected) = try await (yes, no)
            try DemoFailure.require(confirmed != rejected, "both or none were accepted")
            let state = try await backend.transaction(asked.id).state
            try DemoFailure.require(state == (confirmed ? .confirmed : .rejected), "unexpected: \(state)")
            return "it is \(state.rawValue); the other decision was told so"
        }
    }

    private func find(_ id: TransactionID, in session: Session) async throws -> PendingTransaction {
        guard let found = try await session.pendingTransactions().first(where: { $0.id == id }) else {
            throw DemoFailure("the device is not asked")
        }
        return found
    }

    /// Sends `decision` and returns whether the server accepted it; false if the opposite decision came first.
    private func isTaken(
        _ decision: TransactionDecision,
        of pending: PendingTransaction,
        in session: Session
    ) async throws -> Bool {
        let pin = try Pin.demo(DemoPin.first)
        do {
            switch decision {
            case .confirm: try await decider.confirm(pending, in: session, pin: pin)
            case .reject: try await decider.reject(pending, in: session, pin: pin)
            }
            return true
        } catch DecisionError.ended {
            return false
        }
    }
}
