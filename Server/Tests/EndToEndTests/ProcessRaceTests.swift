import Crypto
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchWire
import Testing

@Suite("Three server processes over one database", .timeLimit(.minutes(10)))
struct ProcessRaceTests {
    /// Sends a token request `count` times at once, to all servers.
    private func tokens(
        _ request: TokenRequest,
        by device: SigningDevice,
        from fleet: ServerFleet,
        nonce: DPoPNonce?,
        count: Int = 200
    ) async throws -> (grants: [TokenGrant], errors: [RelyingPartyError]) {
        let parties = fleet.parties(forRequestsAtOnce: count)
        return try await withThrowingTaskGroup(of: Result<TokenGrant, RelyingPartyError>.self) { group in
            for number in 0..<count {
                let (party, proof) = (parties[number % parties.count], try device.proof(nonce: nonce))
                group.addTask {
                    do throws(RelyingPartyError) {
                        return .success(try await party.tokens(request, proof: proof))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            var (grants, errors): ([TokenGrant], [RelyingPartyError]) = ([], [])
            for try await result in group {
                switch result {
                case .success(let grant): grants.append(grant)
                case .failure(let error): errors.append(error)
                }
            }
            return (grants, errors)
        }
    }

    @Test("One login sent 200 times at once is accepted once", arguments: ServerFleet.Kind.allCases)
    func challenge(kind: ServerFleet.Kind) async throws {
        try await ServerFleet.with(kind) { fleet in
            let device = try await SigningDevice(of: "alice", boundBy: fleet)
            let login = try await device.beginLogin(at: HTTPRelyingParty(issuer: fleet.addresses[1]))
            let (grants, errors) = try await tokens(login.request, by: device, from: fleet, nonce: login.nonce)
            #expect(grants.count == 1)
            let codes = errors.map { if case .refused(let refusal) = $0 { refusal.code.rawValue } else { "\($0)" } }
            #expect(codes == Array(repeating: ProblemCode.challengeUsed.rawValue, count: 199))
            // The other challenge is that of the binding.
            let used = try await fleet.column("challenge", of: "used_challenge")
            #expect(used.count == 2 && used.contains(login.challenge.rawValue))
            let hashes = try await fleet.column("current_hash", of: fleet.tableOfFamilies)
            #expect(hashes == grants.map { hash(of: $0.refreshToken) })
        }
    }

    @Test("One binding answer sent 200 times at once binds one device", arguments: ServerFleet.Kind.allCases)
    func binding(kind: ServerFleet.Kind) async throws {
        try await ServerFleet.with(kind) { fleet in
            let answer = try await SigningDevice.beginBinding(of: "alice", at: fleet)
            let parties = fleet.parties(forRequestsAtOnce: 200)
            let devices = try await withThrowingTaskGroup(of: DeviceID.self) { group in
                for number in 0..<200 {
                    let party = parties[number % parties.count]
                    group.addTask { try await party.finishBinding(answer).device }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // A device that lost the answer gets it again.
            #expect(devices.count == 200 && Set(devices).count == 1)
            #expect(try await fleet.column("id", of: "device") == [devices[0].rawValue])
            #expect(try await fleet.column("challenge", of: "used_challenge").count == 1)
            // One entry for the code, one for the device.
            #expect(try await fleet.column("sequence", of: "audit_entry WHERE user_id = 'alice'").count == 2)
        }
    }

    @Test(
        "A refresh token presented 200 times at once leaves one usable successor", arguments: ServerFleet.Kind.allCases)
    func refreshToken(kind: ServerFleet.Kind) async throws {
        try await ServerFleet.with(kind) { fleet in
            let device = try await SigningDevice(of: "alice", boundBy: fleet)
            let party = HTTPRelyingParty(issuer: fleet.addresses[2])
            let login = try await device.beginLogin(at: party)
            let first = try await party.tokens(login.request, proof: device.proof(nonce: login.nonce))
            let (grants, errors) = try await tokens(
                .refresh(first.refreshToken), by: device, from: fleet, nonce: login.nonce)
            #expect(errors.isEmpty, "\(errors)")
            #expect(Set(grants.map(\.refreshToken)).count == 200)
            let hashes = try await fleet.column("current_hash", of: fleet.tableOfFamilies)
            let usable = grants.filter { hashes.contains(hash(of: $0.refreshToken)) }
            #expect(hashes.count == 1 && usable.count == 1)
            let next = try await party.tokens(
                .refresh(#require(usable.first).refreshToken), proof: device.proof(nonce: party.newestNonce))
            // A replaced token counts as a copy, which ends the family.
            let voided = try #require(grants.first { $0.refreshToken != usable.first?.refreshToken })
            for token in [voided.refreshToken, next.refreshToken] {
                let error = await #expect(throws: RelyingPartyError.self) {
                    try await party.tokens(.refresh(token), proof: device.proof(nonce: party.newestNonce))
                }
                guard case .refused(let refusal) = error, refusal.code == .refreshTokenRefused else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
            }
        }
    }

    private func hash(of token: RefreshToken) -> String {
        SHA256.hash(data: Data(token.rawValue.utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            .joined()
    }
}
