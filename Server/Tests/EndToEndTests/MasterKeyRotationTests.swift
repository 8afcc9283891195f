import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchRelyingParty
import NightlatchServerProcess
import NightlatchWire
import Testing

@Suite("Rotation of the master key of running servers", .timeLimit(.minutes(10)))
struct MasterKeyRotationTests {
    /// The number of devices with a PIN key, more than one transaction seals again.
    private static let deviceCount = 60

    /// Devices that opened their first epoch and were then put away.
    private func openEpochs(at fleet: ServerFleet) async throws {
        for number in 0..<Self.deviceCount {
            let device = try await SigningDevice(of: "user-\(number)", boundBy: fleet)
            let _: PinEpochOffer = try await PinMessages.answer(
                to: EnrolledPin.opening(by: device), of: .openPinEpoch, at: fleet.addresses[number % 3])
        }
    }

    /// Kills the command at some moments of its first seconds, and then a server that could not follow the switch.
    private func killEarly(_ rotating: RotatingFleet) async throws {
        // A stopped process keeps the rotation from going on, whatever the moment of the kill.
        Foundation.kill(try #require(rotating.fleet.servers[1].processID), SIGSTOP)
        for milliseconds in [0, 150, 400, 900] {
            _ = try await Nightlatch.runAndKill(rotating.arguments) {
                // This sleep waits for nothing: the delay chooses the moment at which the process dies.
                try await Task.sleep(for: .milliseconds(milliseconds))
            }
        }
        try await rotating.fleet.replace(1)
    }

    /// Kills the command in the middle of a transaction that seals PIN keys again.
    private func killInBatch(_ rotating: RotatingFleet) async throws {
        try await rotating.fleet.holdPinWrites(after: 0)
        let hasEnded = try await Nightlatch.runAndKill(rotating.arguments) {
            try await rotating.fleet.waitForHeldPinWrite()
        }
        #expect(!hasEnded)
        try await rotating.fleet.releasePinWrites()
        let status = try await rotating.status()
        #expect(status.contains("a rotation is sealing everything again"), "\(status)")
        #expect(status.contains("two-party PINs 0\nnot under this key only:"), "\(status)")
    }

    @Test(
        """
        Rotated under load, with the command and a server killed in the middle, and continued: with only the new key \
        every device logs in, every two-party PIN opens, tokens are refreshed, and exported heads verify
        """,
        arguments: ServerFleet.Kind.allCases)
    func rotation(kind: ServerFleet.Kind) async throws {
        try await RotatingFleet.with(kind) { rotating in
            let fleet = rotating.fleet
            try rotating.keepOldKey()
            var phones: [RotatedPhone] = []
            for user in ["alice", "bob", "carol"] { phones.append(try await RotatedPhone(of: user, at: fleet)) }
            try await openEpochs(at: fleet)
            let code = try await fleet.backend.enrolmentCode(for: #require(UserID(rawValue: "dave"))).code

            let refused = try await Nightlatch.run(rotating.arguments)
            #expect(refused.status == 1, "\(refused)")
            #expect(refused.errors.contains("--other-master-key-file \(rotating.newKey)"), "\(refused.errors)")
            #expect(try await rotating.status().contains("signing keys 1, two-party PINs 63\n"))
            try await rotating.learnNewKey()

            try await rotating.load(&phones, at: [0, 2]) { try await killEarly(rotating) }
            try await killInBatch(rotating)
            try await rotating.load(&phones, at: [0, 1, 2]) {
                let done = try await Nightlatch.run(rotating.arguments)
                #expect(done.status == 0 && done.output.contains("continuing"), "\(done)")
                #expect(done.output.contains("nothing in the database is sealed under the old key any more"))
            }
            let status = try await rotating.status()
            #expect(status.contains("not under this key only: signing keys 0, two-party PINs 0\n"), "\(status)")
            // The code was made under the old key, which the servers still know.
            let begun = try await SigningDevice.beginBinding(
                with: code, at: HTTPRelyingParty(issuer: fleet.addresses[1]), of: fleet.issuer)
            _ = try await HTTPRelyingParty(issuer: fleet.addresses[2]).finishBinding(begun)

            try await rotating.restart(withOnly: rotating.newKey)
            for index in phones.indices {
                for address in fleet.addresses { try await phones[index].use(at: address) }
            }
            let late = try await RotatedPhone(of: "erin", at: fleet)
            #expect(late.answerKey != nil && late.answerKey == phones[0].answerKey, "Devices have pinned this key")
            let audit = try await fleet.verifyAudit()
            #expect(audit.status == 0 && audit.output.contains("whole"), "\(audit)")
            let events = try await fleet.auditEvents().map(\.kind)
            #expect(
                events.count { $0 == .masterKeyRotationBegan } == 1 && events.count { $0 == .masterKeyRotated } == 1)
        }
    }

    @Test("With only a wrong or removed key no server starts and no command works; with the right key all is there")
    func wrongKeys() async throws {
        try await RotatingFleet.with(.sqlite) { rotating in
            let fleet = rotating.fleet
            try rotating.keepOldKey()
            var phone = try await RotatedPhone(of: "alice", at: fleet)
            try await fleet.backUp()
            _ = try MasterKey.loadOrCreate(at: rotating.newKey)
            try await rotating.learnNewKey()
            let rotated = try await Nightlatch.run(rotating.arguments)
            #expect(rotated.status == 0, "\(rotated)")
            let again = try await Nightlatch.run(rotating.arguments)
            #expect(again.status == 0 && again.output.contains("continuing"), "\(again)")

            let database = ["--database", fleet.databaseAddress]
            for command in [["audit", "heads"], ["audit", "verify"], ["admin", "rotate-signing-key"]] {
                let old = try await Nightlatch.run(command + database + ["--master-key-file", rotating.oldKey])
                #expect(old.status == 1 && old.errors.contains("--other-master-key-file"), "\(old)")
                let both = try await Nightlatch.run(
                    command + database
                        + ["--master-key-file", rotating.oldKey, "--other-master-key-file", rotating.newKey])
                #expect(both.status == 0, "\(both)")
            }
            let error = await #expect(throws: (any Error).self) {
                try await rotating.restart(withOnly: rotating.oldKey)
            }
            #expect("\(String(describing: error))".contains("another master key"))
            try await rotating.restart(withOnly: rotating.newKey)
            try await phone.use(at: fleet.addresses[0])

            // A backup from before the rotation needs the old key.
            try await fleet.restore()
            let late = await #expect(throws: (any Error).self) { try await fleet.startAgain() }
            #expect("\(String(describing: late))".contains("--other-master-key-file"))
            let accepted = try await Nightlatch.run(
                ["admin", "accept-restore", "--master-key-file", rotating.oldKey] + database
                    + fleet.servers.indices.flatMap { ["--heads", "\(fleet.folder.path)/heads-\($0)"] })
            #expect(accepted.status == 0, "\(accepted)")
            try await rotating.restart(withOnly: rotating.oldKey)
        }
    }
}
