import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchWire
import Testing

@Suite("Decisions on one transaction, at three server processes over one database", .timeLimit(.minutes(10)))
struct DecisionRaceTests {
    private static let answerCount = 60

    /// The result of a decision or a withdrawal: the transaction's state in the answer, or the refusal.
    private enum Outcome: Hashable {
        case done(TransactionState)
        case refused(ProblemCode)
    }

    @Test(
        "Confirmed and rejected at once, a transaction has one outcome, the same at all servers, and one proof",
        arguments: ServerFleet.Kind.allCases)
    func decidedBothWays(kind: ServerFleet.Kind) async throws {
        try await ServerFleet.with(kind) { fleet in
            let device = try await SigningDevice(of: "alice", boundBy: fleet)
            let transaction = try await fleet.backend.create(.example(for: device.user))
            let answers = try await answers(to: transaction, by: device, fleet: fleet)
            let parties = fleet.parties(forRequestsAtOnce: answers.count)
            let outcomes = await withTaskGroup(of: Outcome.self) { group in
                for (number, answer) in answers.enumerated() {
                    let party = parties[number % parties.count]
                    group.addTask {
                        await outcome { () async throws(RelyingPartyError) in
                            try await party.finishDecision(answer).state
                        }
                    }
                }
                group.addTask {
                    await outcome { () async throws(RelyingPartyError) in
                        try await fleet.backend.void(transaction.id).state
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }

            let report = try await fleet.backend.transaction(transaction.id)
            #expect([.confirmed, .rejected, .voided].contains(report.state))
            let ended: [TransactionState: ProblemCode] = [
                .confirmed: .transactionConfirmed, .rejected: .transactionRejected, .voided: .transactionVoided,
            ]
            #expect(outcomes.filter { $0 == .done(report.state) }.count == 1)
            let code = try #require(ended[report.state])
            #expect(outcomes.filter { $0 == .refused(code) }.count == answers.count, "\(outcomes)")

            // The other challenges belong to the binding and the login.
            let isDecided = report.state != .voided
            #expect(try await fleet.column("challenge", of: "used_challenge").count == (isDecided ? 3 : 2))
            #expect(report.proof?.device == (isDecided ? device.id : nil))
            #expect(answers.filter { $0.message == report.proof?.message }.count == (isDecided ? 1 : 0))
            for address in fleet.addresses.dropFirst() {
                #expect(try await fleet.backend(at: address).transaction(transaction.id) == report)
            }
        }
    }

    @Test(
        "One decision sent 200 times at once is recorded once, and all answers are the same",
        arguments: ServerFleet.Kind.allCases)
    func sameDecision(kind: ServerFleet.Kind) async throws {
        try await ServerFleet.with(kind) { fleet in
            let device = try await SigningDevice(of: "alice", boundBy: fleet)
            let transaction = try await fleet.backend.create(.example(for: device.user))
            let answer = try #require(try await answers(to: transaction, by: device, fleet: fleet, count: 1).first)
            let entries = "audit_entry WHERE user_id = 'alice'"
            let entryCount = try await fleet.column("sequence", of: entries).count
            let parties = fleet.parties(forRequestsAtOnce: 200)
            let outcomes = await withTaskGroup(of: Outcome.self) { group in
                for number in 0..<200 {
                    let party = parties[number % parties.count]
                    group.addTask {
                        await outcome { () async throws(RelyingPartyError) in
                            try await party.finishDecision(answer).state
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes == Array(repeating: .done(.confirmed), count: 200))
            // The other challenges belong to the binding and the login.
            #expect(try await fleet.column("challenge", of: "used_challenge").count == 3)
            #expect(try await fleet.column("sequence", of: entries).count == entryCount + 1)
            #expect(try await fleet.backend.transaction(transaction.id).proof?.message == answer.message)
        }
    }

    /// Returns alternating confirmations and rejections.
    ///
    /// Each has its own challenge; the servers take turns to issue them.
    private func answers(
        to transaction: TransactionReport,
        by device: SigningDevice,
        fleet: ServerFleet,
        count: Int = answerCount
    ) async throws -> [DecisionAnswer] {
        let parties = fleet.addresses.map { HTTPRelyingParty(issuer: $0) }
        let login = try await device.beginLogin(at: parties[0])
        let token = try await parties[0].tokens(login.request, proof: device.proof(nonce: login.nonce)).accessToken
        var answers: [DecisionAnswer] = []
        for number in 0..<count {
            answers.append(
                try await device.beginDecision(
                    number.isMultiple(of: 2) ? .confirm : .reject, on: transaction.id, details: transaction.details,
                    token: token, nonce: parties[0].newestNonce, at: parties[number % parties.count]))
        }
        return answers
    }

    private func outcome(_ request: () async throws(RelyingPartyError) -> TransactionState) async -> Outcome {
        do {
            return .done(try await request())
        } catch .refused(let refusal) {
            return .refused(refusal.code)
        } catch {
            Issue.record(error)
            return .refused(.unavailable)
        }
    }
}
