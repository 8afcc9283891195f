import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("A two-party PIN between the real client and a real server", .timeLimit(.minutes(10)))
struct TwoPartyPinTests {
    private static let options = ["--address-rate", "0", "--account-rate", "0"]

    /// Runs `body` with a server without rate limits.
    private func withServer(
        _ options: [String] = [],
        _ body: (ServerProcess, TemporaryFolder) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder, options: Self.options + options) { server in
            try await body(server, folder)
        }
    }

    private func expectLocalPinRefused(_ phone: TwoPartyPhone, _ vault: OpenVault) async {
        await #expect {
            try await phone.logIn(vault)
        } throws: { error in
            guard case .relyingParty(.refused(let refusal)) = error as? LoginError else { return false }
            return refusal.code == .localPinRefused
        }
    }

    @Test(
        """
        A bound vault moves to the server at the next unlock; before that a server that refuses local PINs refuses its \
        login
        """)
    func migration() async throws {
        try await withServer(["--local-pin", "refused"]) { server, folder in
            let phone = try await TwoPartyPhone(at: server, in: folder, isEnrolled: false)
            let lost = InterceptedPinParty(phone.server, losing: (0, .request))
            let local = try await phone.unlock(through: lost)
            #expect(try await phone.standing().epoch == nil)
            await expectLocalPinRefused(phone, local)
            await local.lock()

            let moved = try await phone.unlock()
            #expect(try await phone.standing().epoch == .first)
            #expect(try await TwoPartyPhone.secret(in: moved) == TwoPartyPhone.secret)
            let session = try await phone.logIn(moved)
            #expect(session.user == phone.user)
            await moved.lock()
            let again = try await phone.unlock()
            #expect(try await TwoPartyPhone.secret(in: again) == TwoPartyPhone.secret)
            _ = try await phone.logIn(again)
        }
    }

    @Test("An unlock takes two round trips, also in a new process; a wrong PIN takes one, and the server counts it")
    func unlock() async throws {
        try await withServer { server, folder in
            let phone = try await TwoPartyPhone(at: server, in: folder)
            for _ in 0..<2 {
                let party = InterceptedPinParty(phone.server)
                try await phone.unlock(through: party)
                #expect(await party.callCount == 2)
            }
            for left in [9, 8] {
                let party = InterceptedPinParty(phone.server)
                await #expect(throws: UnlockError.refused(.wrong(triesLeft: left, wait: nil))) {
                    try await phone.unlock(TwoPartyPhone.wrong, through: party)
                }
                #expect(await party.callCount == 1)
                #expect(try await phone.standing().triesLeft == left)
            }
            let open = try await phone.unlock()
            #expect(open.foreignGuesses == nil)
            let standing = try await phone.standing()
            #expect(standing.triesLeft == 10 && standing.epoch == .first)
        }
    }

    @Test("After a change the new PIN opens the vault, the old one does not, and an image from before opens nothing")
    func change() async throws {
        try await withServer { server, folder in
            let phone = try await TwoPartyPhone(at: server, in: folder)
            let image = try await phone.image()
            let changed = try await phone.changePin()
            #expect(try await TwoPartyPhone.secret(in: changed) == TwoPartyPhone.secret)
            #expect(try await phone.standing().epoch == PinEpoch.first.next)
            await #expect(throws: UnlockError.refused(.wrong(triesLeft: 9, wait: nil))) { try await phone.unlock() }
            let open = try await phone.unlock(TwoPartyPhone.new)
            #expect(try await TwoPartyPhone.secret(in: open) == TwoPartyPhone.secret)
            await #expect {
                try await phone.vault(in: image).unlock(with: TwoPartyPhone.pin(TwoPartyPhone.right))
            } throws: { error in
                let hardener = (error as? UnlockError)?.cause?.cause as? PinHardenerError
                guard case .epochPassed = hardener else { return false }
                return true
            }
            #expect(try await phone.standing().triesLeft == 10)
        }
    }

    @Test(
        """
        For a hundred days a thief makes nine guesses before each unlock of the owner: the owner is warned once, and \
        the image opens nothing after the first unlock
        """)
    func thief() async throws {
        try await withServer { server, folder in
            let phone = try await TwoPartyPhone(at: server, in: folder)
            let stolen = try await phone.image()
            for day in 1...100 {
                // All guesses at once, like a thief in a hurry. From the second day on the right PIN is among them.
                let answers = try await withThrowingTaskGroup(of: TheftAnswer.self) { group in
                    for number in 0..<9 {
                        let digits = day > 1 && number == 8 ? TwoPartyPhone.right : "73\(1000 + 9 * day + number)"
                        group.addTask { try await guess(digits, at: stolen, of: phone) }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                if day == 1 {
                    #expect(answers == Array(repeating: .wrong, count: 9))
                    #expect(try await phone.standing().triesLeft == 1)
                } else {
                    #expect(answers == Array(repeating: .epochPassed, count: 9), "day \(day)")
                }
                phone.clock.advance(by: .seconds(24 * 60 * 60))
                let open = try await phone.unlock()
                #expect(open.foreignGuesses?.surelyForeign == (day == 1 ? 9 : nil))
                let secret = try await TwoPartyPhone.secret(in: open)
                #expect(secret == TwoPartyPhone.secret)
            }
            let standing = try await phone.standing()
            #expect(standing.epoch == PinEpoch.first.next && standing.triesLeft == 10)
        }
    }

    private enum TheftAnswer: Hashable {
        case wrong
        case epochPassed
    }

    /// Tries a PIN on a copy of a stolen image, so that the device's own count starts from the stolen one each time.
    private func guess(
        _ digits: String,
        at stolen: MemoryStore,
        of phone: TwoPartyPhone
    ) async throws -> TheftAnswer {
        let copy = MemoryStore()
        try await copy.replace(#require(try await stolen.read()), expecting: nil)
        let pin = try TwoPartyPhone.pin(digits)
        do throws(UnlockError) {
            _ = try await phone.vault(in: copy).unlock(with: pin)
        } catch {
            if case .refused(.wrong) = error { return .wrong }
            guard case .epochPassed = error.cause?.cause as? PinHardenerError else { throw error }
            return .epochPassed
        }
        throw StillAlive()
    }

    /// The stolen image opened.
    private struct StillAlive: Error {}

    @Test("Between two rounds the real client waits as the server says, loses nothing, and then opens the vault")
    func rounds() async throws {
        let (folder, port) = (try TemporaryFolder(), try LoopbackPort.free())
        let phone = try await ServerProcess.run(
            in: folder, port: port, options: Self.options + ["--guess-rounds", "2,1h,4"]
        ) { server in
            let phone = try await TwoPartyPhone(at: server, in: folder, offlinePin: .local)
            await #expect(throws: UnlockError.refused(.wrong(triesLeft: 5, wait: nil))) {
                try await phone.unlock(TwoPartyPhone.wrong)
            }
            await #expect {
                try await phone.unlock(TwoPartyPhone.wrong)
            } throws: { error in
                guard case .refused(.wrong(triesLeft: 4, let wait?)) = error as? UnlockError else { return false }
                return wait > .seconds(3000) && wait <= .seconds(3600)
            }
            for digits in [TwoPartyPhone.right, TwoPartyPhone.wrong] {
                await #expect {
                    try await phone.unlock(digits)
                } throws: { error in
                    guard case .refused(.waiting(let wait, triesLeft: 4)) = error as? UnlockError else { return false }
                    return wait > .seconds(3000) && wait <= .seconds(3600)
                }
            }
            let standing = try await phone.standing()
            #expect(standing.triesLeft == 4 && (standing.wait?.seconds ?? 0) > 3000)
            #expect(try await phone.vault().protection()?.hasLocalTier == true)
            let open = try await phone.vault().unlockWithBiometrics(reason: "to read")
            #expect(try await TwoPartyPhone.secret(in: open) == TwoPartyPhone.secret)
            return phone
        }.value
        // Shorter rounds apply at once, and a wait ends by itself.
        try await ServerProcess.run(
            in: folder, port: port, options: Self.options + ["--guess-rounds", "1,1s,5"]
        ) { _ in
            for isRight in [true, false] {
                if !isRight { await #expect(throws: UnlockError.self) { try await phone.unlock(TwoPartyPhone.wrong) } }
                let open = try await unlockAfterWait(phone)
                #expect(await open.pinTier == .hardened)
                #expect(try await phone.standing().triesLeft == 6)
            }
        }
    }

    /// Tries the right PIN until the wait of a second has ended.
    private func unlockAfterWait(_ phone: TwoPartyPhone) async throws -> OpenVault {
        while true {
            try Task.checkCancellation()
            do {
                return try await phone.unlock()
            } catch UnlockError.refused(.waiting(let wait, _)) {
                #expect(wait == .seconds(1))
            }
        }
    }

    @Test("The server destroys its key after the last guess; biometrics and an enrolment code set a new PIN")
    func destruction() async throws {
        try await withServer(["--guess-limit", "3"]) { server, folder in
            let phone = try await TwoPartyPhone(at: server, in: folder)
            let image = try await phone.image()
            for _ in 0..<3 {
                await #expect(throws: UnlockError.self) { try await phone.unlock(TwoPartyPhone.wrong) }
            }
            await #expect(throws: UnlockError.refused(.blocked(.newCredentials))) { try await phone.unlock() }
            await #expect(throws: UnlockError.refused(.blocked(.newCredentials))) {
                try await phone.vault(in: image).unlock(with: TwoPartyPhone.pin(TwoPartyPhone.right))
            }
            let open = try await phone.vault().unlockWithBiometrics(reason: "to set a new PIN")
            await #expect(throws: SetPinError.rekey(.hardener(.codeNeeded))) {
                try await open.setPin(TwoPartyPhone.pin(TwoPartyPhone.new), after: .checkedByApp())
            }
            let code = try await phone.backend.enrolmentCode(for: phone.user).code
            try await open.setPin(TwoPartyPhone.pin(TwoPartyPhone.new), after: .checkedByApp(), code: code)
            let again = try await phone.unlock(TwoPartyPhone.new)
            #expect(try await TwoPartyPhone.secret(in: again) == TwoPartyPhone.secret)
            #expect(try await phone.standing().triesLeft == 3)
        }
    }

    @Test(
        """
        With the local tier the PIN opens the vault without the server, and a server that refuses local PINs refuses \
        that login
        """)
    func localTier() async throws {
        let folder = try TemporaryFolder()
        let phone = try await ServerProcess.run(in: folder, options: Self.options + ["--local-pin", "refused"]) {
            server in
            let phone = try await TwoPartyPhone(at: server, in: folder, offlinePin: .local)
            let lost = InterceptedPinParty(phone.server, losing: (0, .request))
            let local = try await phone.unlock(through: lost)
            #expect(await local.pinTier == .local)
            await expectLocalPinRefused(phone, local)
            let hardened = try await phone.unlock()
            #expect(await hardened.pinTier == .hardened)
            _ = try await phone.logIn(hardened)
            return phone
        }.value
        await #expect(throws: UnlockError.refused(.wrong(triesLeft: 9, wait: nil))) {
            try await phone.unlock(TwoPartyPhone.wrong)
        }
        let open = try await phone.unlock()
        #expect(await open.pinTier == .local)
        #expect(try await TwoPartyPhone.secret(in: open) == TwoPartyPhone.secret)
    }

    @Test("Without the server no PIN is right or wrong, no guess is counted, and biometrics open the vault")
    func offline() async throws {
        let folder = try TemporaryFolder()
        let phone = try await ServerProcess.run(in: folder, options: Self.options) { server in
            try await TwoPartyPhone(at: server, in: folder)
        }.value
        for digits in [TwoPartyPhone.right, TwoPartyPhone.wrong] {
            await #expect {
                try await phone.unlock(digits)
            } throws: { error in
                let hardener = (error as? UnlockError)?.cause?.cause as? PinHardenerError
                guard case .unavailable(.unreachable) = hardener else { return false }
                return true
            }
        }
        #expect(try await phone.vault().state() == .ready(triesLeft: 10))
        let open = try await phone.vault().unlockWithBiometrics(reason: "to read")
        #expect(try await TwoPartyPhone.secret(in: open) == TwoPartyPhone.secret)
    }

    enum Operation: CaseIterable {
        case enrol, unlock, change, setPin

        /// One of these PINs opens the vault after the operation.
        var pins: [String] {
            switch self {
            case .enrol, .unlock: [TwoPartyPhone.right]
            case .change, .setPin: [TwoPartyPhone.right, TwoPartyPhone.new]
            }
        }
    }

    @Test(
        "After any lost request or answer one PIN opens the same secrets, and the next change succeeds",
        arguments: Operation.allCases)
    func lostAnswers(operation: Operation) async throws {
        try await withServer { server, folder in
            let rehearsal = try await phone(for: operation, at: server, in: folder)
            let party = InterceptedPinParty(rehearsal.server)
            try await run(operation, on: rehearsal, through: party)
            let calls = await party.callCount
            for call in 0..<calls {
                for what in MemoryPinHardener.Fault.allCases {
                    let phone = try await phone(for: operation, at: server, in: folder)
                    _ = try? await run(
                        operation, on: phone, through: InterceptedPinParty(phone.server, losing: (call, what)))
                    try await check(
                        phone, after: operation, operation.pins, "\(operation), lost \(what) of request \(call)")
                }
            }
        }
    }

    private func phone(
        for operation: Operation,
        at server: ServerProcess,
        in folder: TemporaryFolder
    ) async throws -> TwoPartyPhone {
        try await TwoPartyPhone(
            of: "user-\(DeviceID.random())", at: server, in: folder, isEnrolled: operation != .enrol)
    }

    private func run(
        _ operation: Operation,
        on phone: TwoPartyPhone,
        through party: InterceptedPinParty
    ) async throws {
        switch operation {
        case .enrol, .unlock: try await phone.unlock(through: party)
        case .change: try await phone.changePin(through: party)
        case .setPin:
            // The user has forgotten the PIN while the server still has its key.
            let vault = phone.vault(through: party)
            _ = try await vault.giveUpPin()
            let open = try await vault.unlockWithBiometrics(reason: "to set a new PIN")
            let code = try await phone.backend.enrolmentCode(for: phone.user).code
            try await open.setPin(TwoPartyPhone.pin(TwoPartyPhone.new), after: .checkedByApp(), code: code)
        }
    }

    private func check(
        _ phone: TwoPartyPhone,
        after operation: Operation,
        _ pins: [String],
        _ situation: Comment
    ) async throws {
        var opening: [String] = []
        for pin in pins {
            guard let open = try? await phone.unlock(pin) else { continue }
            opening.append(pin)
            #expect(try await TwoPartyPhone.secret(in: open) == TwoPartyPhone.secret, situation)
        }
        if operation == .setPin, opening.isEmpty {
            // The vault no longer had a PIN, but one can still be set.
            let open = try await phone.vault().unlockWithBiometrics(reason: "to set a new PIN")
            let code = try await phone.backend.enrolmentCode(for: phone.user).code
            try await open.setPin(TwoPartyPhone.pin(TwoPartyPhone.new), after: .checkedByApp(), code: code)
            opening = [TwoPartyPhone.new]
        }
        try #require(opening.count == 1, situation)
        let changed = try await phone.changePin(from: opening[0], to: TwoPartyPhone.newest)
        #expect(try await TwoPartyPhone.secret(in: changed) == TwoPartyPhone.secret, situation)
        let open = try await phone.unlock(TwoPartyPhone.newest)
        #expect(try await TwoPartyPhone.secret(in: open) == TwoPartyPhone.secret, situation)
        #expect(try await phone.standing().triesLeft == 10, situation)
    }
}
