import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchWire
import Testing

/// A device that repeats all device operations at random servers while servers fail.
///
/// It sends each request until a server has decided it.
struct LoadingDevice {
    private let device: SigningDevice
    private let fleet: ServerFleet
    private let tally: FaultTally
    private let servers: [Server]

    /// The clients of one of the servers.
    private struct Server {
        let party: HTTPRelyingParty
        let backend: HTTPBackend
    }

    init(_ device: SigningDevice, fleet: ServerFleet, tally: FaultTally) {
        self.device = device
        self.fleet = fleet
        self.tally = tally
        servers = fleet.addresses.map { address in
            Server(party: HTTPRelyingParty(issuer: address), backend: fleet.backend(at: address))
        }
    }

    /// Repeats rounds until the tally is over, and ends with a complete round.
    ///
    /// - Returns: The newest refresh token that the device received.
    func run() async throws -> RefreshToken {
        var roundCount = 0
        while true {
            let isLast = await tally.isOver
            roundCount += 1
            if let token = try await round(roundCount), isLast { return token }
        }
    }

    /// Logs in, refreshes, decides, binds another device and revokes it.
    ///
    /// - Returns: The newest refresh token; nil if the login's answer was lost, or if the servers failed so long that
    ///   a message expired.
    private func round(_ number: Int) async throws -> RefreshToken? {
        let start = ContinuousClock.now
        do {
            return try await wholeRound(number)
        } catch RelyingPartyError.refused(let refusal)
            where [.challengeExpired, .messageRefused].contains(refusal.code)
            && start.duration(to: .now) > Self.messageLife
        {
            return nil
        }
    }

    /// How long a message that a ``SigningDevice`` signs is valid.
    private static let messageLife = Duration.seconds(59)

    private func wholeRound(_ number: Int) async throws -> RefreshToken? {
        guard let login = try await logIn() else { return nil }
        let grant = try await ask { server in
            let proof = try device.proof(nonce: await server.party.newestNonce)
            return try await server.party.tokens(.refresh(login.refreshToken), proof: proof)
        }
        try await decide(with: grant.accessToken)
        // The devices of the first ten rounds stay: far fewer than a user may have.
        try await bind(andRevoke: number > 10, with: grant.accessToken)
        return grant.refreshToken
    }

    private func logIn() async throws -> TokenGrant? {
        let login = try await ask { server in try await device.beginLogin(at: server.party) }
        var first: TokenGrant?
        do {
            for _ in 0..<2 {
                let grant = try await ask { server in
                    let nonce = await server.party.newestNonce ?? login.nonce
                    return try await server.party.tokens(login.request, proof: device.proof(nonce: nonce))
                }
                await tally.noteLogin(login.challenge)
                first = first ?? grant
            }
        } catch RelyingPartyError.refused(let refusal) where refusal.code == .challengeUsed {
            // The previous request used it, whether its answer arrived or not.
            if first == nil { await tally.noteLostLogin() }
        }
        return first
    }

    private func decide(with token: AccessToken) async throws {
        let request = try TransactionRequest.example(for: device.user)
        _ = try await ask { server in try await server.backend.create(request) }
        let answer = try await ask { server in
            try await device.beginDecision(
                Bool.random() ? .confirm : .reject, on: request.id, details: request.details, token: token,
                nonce: server.party.newestNonce, at: server.party)
        }
        let result = try await ask { server in try await server.party.finishDecision(answer) }
        await tally.noteDecision(result.state, on: request.id)
    }

    private func bind(andRevoke isToBeRevoked: Bool, with token: AccessToken) async throws {
        let code = try await ask { server in try await server.backend.enrolmentCode(for: device.user) }.code
        let answer = try await ask { server in
            try await SigningDevice.beginBinding(with: code, at: server.party, of: fleet.issuer)
        }
        let other = try await ask { server in try await server.party.finishBinding(answer) }.device
        await tally.noteBinding(other)
        guard isToBeRevoked else { return }
        _ = try await ask { server in
            let proof = try device.proof(
                for: .revokeDevice, path: Route.revokeDevice.path(device: other), token: token,
                nonce: await server.party.newestNonce)
            return try await server.party.revoke(other, Authorization(accessToken: token, proof: proof))
        }
        await tally.noteRevocation(other)
    }

    /// Sends a request to random servers until one has decided it.
    ///
    /// - Throws: `RelyingPartyError` if the server refuses the request.
    private func ask<Value>(_ request: (Server) async throws -> Value) async throws -> Value {
        while !Task.isCancelled {
            let fault = await tally.currentFault
            do {
                return try await request(servers[Int.random(in: servers.indices)])
            } catch RelyingPartyError.refused(let refusal) where refusal.code == .dpopNonceRequired {
                // The next proof uses the nonce of this answer.
                continue
            } catch RelyingPartyError.refused(let refusal) where !refusal.isDecision {
                await tally.noteFailure(refusal, before: fault)
            } catch RelyingPartyError.unreachable {
                continue
            }
        }
        throw CancellationError()
    }
}
