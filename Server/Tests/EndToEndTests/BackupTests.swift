import Nightlatch
import NightlatchPlatform
import NightlatchWire
import Testing

@Suite("A backup of a running server that is restored", .timeLimit(.minutes(10)))
struct BackupTests {
    @Test(
        "Devices from before the backup log in, later ones are gone, and exported heads reveal the restore",
        arguments: ServerFleet.Kind.allCases)
    func restored(kind: ServerFleet.Kind) async throws {
        try await ServerFleet.with(kind) { fleet in
            let alice = try await SigningDevice(of: "alice", boundBy: fleet)
            _ = try await grant(for: alice, at: fleet)
            try await fleet.backUp()
            let bob = try await SigningDevice(of: "bob", boundBy: fleet)
            #expect(try await fleet.verifyAudit().status == 0)

            try await fleet.restore()
            for address in fleet.addresses {
                _ = try await grant(for: alice, at: fleet, address: address)
            }
            let error = await #expect(throws: RelyingPartyError.self) { try await grant(for: bob, at: fleet) }
            guard case .refused(let refusal) = error, refusal.code == .messageRefused else {
                Issue.record("\(String(describing: error))")
                return
            }
            let audit = try await fleet.verifyAudit()
            #expect(audit.status == 1 && audit.output.contains("an exported head has"), "\(audit)")
        }
    }

    private func grant(
        for device: SigningDevice, at fleet: ServerFleet, address: Issuer? = nil
    ) async throws -> TokenGrant {
        let party = HTTPRelyingParty(issuer: address ?? fleet.addresses[0])
        let login = try await device.beginLogin(at: party)
        return try await party.tokens(login.request, proof: device.proof(nonce: login.nonce))
    }
}
