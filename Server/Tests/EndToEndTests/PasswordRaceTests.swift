import Nightlatch
import NightlatchPlatform
import NightlatchWire
import Testing

@Suite("Passwords at three server processes over one database", .timeLimit(.minutes(10)))
struct PasswordRaceTests {
    @Test(
        "Of many wrong passwords at once five are tried; then every server refuses even the right one",
        arguments: ServerFleet.Kind.allCases)
    func throttle(kind: ServerFleet.Kind) async throws {
        try await ServerFleet.with(kind) { fleet in
            let user = try #require(UserID(rawValue: "alice"))
            func credentials(_ password: String) throws -> Credentials {
                Credentials(user: user, password: try #require(Password(rawValue: password)))
            }
            _ = try await fleet.backend.setPassword(try credentials("correct horse battery"))
            let codes = try await withThrowingTaskGroup { group in
                for number in 0..<18 {
                    let party = HTTPRelyingParty(issuer: fleet.addresses[number % fleet.addresses.count])
                    let wrong = try credentials("a wrong horse \(number)")
                    group.addTask { await code(of: wrong, at: party) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.allSatisfy { $0 == .credentialsRefused || $0 == .unavailable })
            #expect(codes.filter { $0 == .credentialsRefused }.count >= 5)
            #expect(try await fleet.column("failures", of: "password") == ["5"])
            for address in fleet.addresses {
                let right = try credentials("correct horse battery")
                #expect(await code(of: right, at: HTTPRelyingParty(issuer: address)) == .credentialsRefused)
            }
            #expect(try await fleet.column("failures", of: "password") == ["5"])
        }
    }

    /// Returns the refusal of a password; nil if it gets a code.
    private func code(of credentials: Credentials, at party: HTTPRelyingParty) async -> ProblemCode? {
        do throws(RelyingPartyError) {
            _ = try await party.enrolmentCode(credentials)
            return nil
        } catch .refused(let refusal) {
            return refusal.code
        } catch {
            Issue.record(error)
            return nil
        }
    }
}
