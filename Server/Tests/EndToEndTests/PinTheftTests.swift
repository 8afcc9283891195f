import Foundation
import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// Attacks by thieves with all the data of their kind.
///
/// A thief knows two of the six digits, so there are 10,000 PINs to try. Argon2id costs next to nothing here, which
/// only helps the thief.
@Suite("Attacks on a two-party PIN by thieves", .timeLimit(.minutes(10)))
struct PinTheftTests {
    private static let newPin = "487306"

    private func withServer(_ body: (ServerProcess, TemporaryFolder) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder, options: ["--address-rate", "0", "--account-rate", "0"]) { server in
            try await body(server, folder)
        }
    }

    @Test("Control: the image alone reveals the PIN of a vault without a hardener")
    func control() async throws {
        try await withServer { server, folder in
            let phone = try await TwoPartyPhone(
                at: server, in: folder, keyDerivation: .cheapArgon2id, isEnrolled: false)
            let opened = try await PinThief(phone.image()).alone()
            #expect(opened == [TwoPartyPhone.right])
        }
    }

    @Test("With the local tier the image alone reveals the PIN, as documented; once the tier is dropped it does not")
    func localTier() async throws {
        try await withServer { server, folder in
            let phone = try await TwoPartyPhone(
                at: server, in: folder, keyDerivation: .cheapArgon2id, offlinePin: .local)
            let opened = try await PinThief(phone.image()).alone(tier: true)
            #expect(opened == [TwoPartyPhone.right])
            // An app that no longer allows the local tier.
            let strict = Vault(
                store: phone.store, clock: phone.clock, hardener: phone.hardener(),
                configuration: VaultConfiguration(keyDerivation: phone.keyDerivation, keyDerivationBounds: .forTests))
            _ = try await strict.unlock(with: TwoPartyPhone.pin(TwoPartyPhone.right))
            let protection = try await strict.protection()
            #expect(protection?.hasLocalTier == false)
            let after = try await PinThief(phone.image()).onImages(pins: (TwoPartyPhone.right, 1))
            #expect(after.opened.isEmpty && after.found.isEmpty)
        }
    }

    @Test("Neither the image alone nor the images before, during and after a change distinguish one PIN from another")
    func image() async throws {
        try await withServer { server, folder in
            let phone = try await TwoPartyPhone(at: server, in: folder, keyDerivation: .cheapArgon2id)
            let before = try await phone.image()

            // The change is promoted, which is its last request, and the phone does not get the answer.
            let other = try await TwoPartyPhone(of: "bobby", at: server, in: folder)
            let rehearsal = InterceptedPinParty(other.server)
            try await other.changePin(through: rehearsal)
            let deaf = await InterceptedPinParty(phone.server, losing: (rehearsal.callCount - 1, .answer))
            _ = try? await phone.changePin(to: Self.newPin, through: deaf)
            let during = try await phone.image()
            let late = try await phone.unlock(Self.newPin)
            #expect(try await TwoPartyPhone.secret(in: late) == TwoPartyPhone.secret)
            let after = try await phone.image()
            let all = try await PinThief(before, during, after).onImages()
            #expect(all.slots == 2 && all.alike == 0 && all.searched > 1000)
            // Each slot by itself in six ways, and each with the other slot's salt in two.
            #expect(all.tried == 10_000 * 2 * (6 + 2))
            #expect(all.opened.isEmpty && all.found.isEmpty)

            // Checks that the thief tries the right things: with the server the newest image opens, and the one from
            // before the change no longer opens.
            let opened = try await PinThief(after).with(server: server.folder, pins: (Self.newPin, 1))
            #expect(opened.opened == [Self.newPin])
            for digits in [TwoPartyPhone.right, Self.newPin] {
                let dead = try await PinThief(before).with(server: server.folder, pins: (digits, 1))
                #expect(dead.opened.isEmpty)
            }
        }
    }

    @Test(
        """
        The server's database does not depend on the PIN: nothing in it can be computed from any of 10,000 PINs, even \
        with the master key and the salt, and devices with equal PINs differ as those with different PINs do
        """)
    func server() async throws {
        try await withServer { server, folder in
            var (devices, elements): ([DeviceID], [BlindedElement]) = ([], [])
            var image: MemoryStore?
            // All three do the same. Their names have equal lengths, so only random values differ.
            for (user, right) in [
                ("alice", TwoPartyPhone.right), ("bobby", TwoPartyPhone.right), ("carol", Self.newPin),
            ] {
                let sent = SentElements()
                let phone = try await TwoPartyPhone(
                    of: user, at: server, in: folder, digits: right, keyDerivation: .cheapArgon2id, isEnrolled: false)
                let party = ReadPinParty(phone.server, sent: sent)
                for digits in [right, TwoPartyPhone.wrong, right, TwoPartyPhone.wrong] {
                    _ = try? await phone.unlock(digits, through: party)
                }
                devices.append(phone.device.device)
                let all = await sent.elements
                // The element of the enrolment, and those of three unlocks.
                #expect(all.count == 4)
                elements += all
                if image == nil { image = try await phone.image() }
            }
            let thief = try await PinThief(#require(image))
            let found = try await thief.search(
                server: server.folder, devices: devices,
                entered: [TwoPartyPhone.right, TwoPartyPhone.wrong, Self.newPin], elements: elements)
            #expect(found.found.isEmpty && found.digits.isEmpty)
            #expect(found.traces > 10_000 * 30 && found.searched > 100_000)
            #expect(found.elements == 0, "What the server is sent of a PIN is at random, and not kept.")
            #expect(Set(found.rows).count == 1 && found.differing.isEmpty, "\(found.differing)")
            #expect(found.alike.count == 2 && found.alike[0] == found.alike[1])
            // Checks that the search covers the right places.
            #expect(found.key && found.hashes >= devices.count)
        }
    }

    @Test("Image, database and master key of the same time reveal the PIN at the cost of one Argon2id for each guess")
    func both() async throws {
        try await withServer { server, folder in
            let right = "480937"
            let phone = try await TwoPartyPhone(
                at: server, in: folder, digits: right, keyDerivation: .cheapArgon2id)
            let thief = try await PinThief(phone.image())
            let found = try await thief.with(server: server.folder)
            #expect(found.opened == [right])
            #expect(found.tried == 938, "One after the other from 480000 to the PIN: none before it opens.")
            #expect(found.parameters == phone.keyDerivation && found.stretching > 0)
            let minutes = Int((10_000 * found.usual / 60).rounded())
            let lines = [
                "two-party PIN, image and server stolen: found as PIN number \(found.tried) of 10,000",
                "processor time of each: \(milliseconds(found.stretching)) for \(found.parameters)",
                "\(milliseconds(found.beside)) for all else",
                "by \(KeyDerivationParameters.default) it is \(milliseconds(found.usual)) here, so \(minutes) min for all 10,000",
            ]
            print(lines.joined(separator: "; "))
            // After a change of PIN or a revocation, the image needs a key that has been destroyed.
            try await phone.changePin(from: right)
            let dead = try await thief.with(server: server.folder, pins: (right, 1))
            #expect(dead.opened.isEmpty)
        }
    }

    @Test(
        """
        A thief with the image and the possession key who drops the owner's requests gets no more guesses at an epoch \
        than the limit, and the owner learns that the epoch has not changed
        """,
        arguments: [[.open], [.promote], [.open, .promote], [.abandon, .promote]] as [Set<PinVerb>], [false, true])
    func dropped(verbs: Set<PinVerb>, dropsGuessesFirst: Bool) async throws {
        try await withServer { server, folder in
            let phone = try await TwoPartyPhone(at: server, in: folder)
            let stolen = try #require(try await phone.image().read())
            if dropsGuessesFirst {
                for _ in 0..<8 {
                    await #expect(throws: UnlockError.self) {
                        try await phone.unlock(through: DroppingPinParty(phone.server, dropping: [.evaluate]))
                    }
                }
            }
            var (total, isEnded) = (0, false)
            for _ in 1...20 where !isEnded {
                for number in 0..<8 {
                    let standing = try await phone.standing()
                    if standing.epoch == .first, standing.triesLeft > 0 { total += 1 }
                    let copy = MemoryStore()
                    try await copy.replace(stolen, expecting: nil)
                    await #expect(throws: UnlockError.self) {
                        try await phone.vault(in: copy).unlock(with: TwoPartyPhone.pin("73\(1000 + number)"))
                    }
                }
                do {
                    let open = try await phone.unlock(through: DroppingPinParty(phone.server, dropping: verbs))
                    #expect(open.foreignGuesses.map { $0.count >= total } ?? false && open.rekeyFailure != nil)
                    if !dropsGuessesFirst { #expect(open.foreignGuesses?.surelyForeign ?? 0 >= 8) }
                } catch UnlockError.refused(.blocked) {
                    isEnded = true
                }
            }
            #expect((8...10).contains(total) && isEnded, "\(total) guesses at the first epoch, whose end: \(isEnded)")
            #expect(try await phone.standing().epoch == nil)
        }
    }

    private func milliseconds(_ seconds: Double) -> String { "\((seconds * 100_000).rounded() / 100) ms" }
}
