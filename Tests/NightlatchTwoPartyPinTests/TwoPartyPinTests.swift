import Crypto
import Foundation
import Nightlatch
import NightlatchTesting
import NightlatchTwoPartyPin
import NightlatchWire
import Testing

@Suite("Requests of a two-party PIN to its relying party")
struct TwoPartyPinTests {
    private static let input = "stretched"

    private let issuer: Issuer

    init() throws {
        issuer = try #require(Issuer(rawValue: "https://login.example"))
    }

    private func epoch(of party: ScriptedPinParty) async throws -> HardenedEpoch {
        let device = """
            {"device":"\(DeviceID.random())","issuer":"\(issuer)","possession_key":"\(KeyTag.random())","user":"alice"}
            """
        return HardenedEpoch(
            device: try StrictJSON.decode(HardenedDevice.self, from: Data(device.utf8)), epoch: .first,
            publicKey: try #require(await party.publicKey))
    }

    /// A new process of the app. Its clock is slow by `seconds`.
    private func process(
        _ party: ScriptedPinParty,
        behind seconds: TimeInterval = 0,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in throw CancellationError() }
    ) -> TwoPartyPin {
        let date = party.date.addingTimeInterval(-seconds)
        return TwoPartyPin(relyingParty: party, keys: OneKey(), now: { date }, sleep: sleep)
    }

    private func harden(
        _ input: String = input,
        by process: TwoPartyPin,
        _ epoch: HardenedEpoch,
        in window: PinWindow? = nil
    ) async throws -> HardenedPin {
        try await process.harden(SecretBytes(copying: Array(input.utf8)), for: epoch, in: window)
    }

    @Test(
        "A proved answer for another epoch, or for a guess that it does not list as charged, is refused",
        arguments: [ScriptedPinParty.Fault.otherEpoch, .unchargedGuess])
    func otherGuess(fault: ScriptedPinParty.Fault) async throws {
        let party = ScriptedPinParty(issuer, faults: [fault])
        let epoch = try await epoch(of: party)
        let process = process(party)
        await #expect(throws: PinHardenerError.notGenuine) { _ = try await harden(by: process, epoch) }
        // The same input is sent as the same element, and is charged once.
        _ = try await harden(by: process, epoch)
        #expect(await party.charged.count == 1)
    }

    @Test("The same input and key give the same output in every process, from elements that cannot be linked")
    func output() async throws {
        let party = ScriptedPinParty(issuer)
        let epoch = try await epoch(of: party)
        let first = try await harden(by: process(party), epoch)
        let second = try await harden(by: process(party), epoch)
        let other = try await harden("another", by: process(party), epoch)
        #expect(first.key == second.key && first.key != other.key)
        let elements = await party.charged.map(\.element)
        #expect(Set(elements).count == 3)
    }

    @Test(
        "An unsigned refusal, which decides nothing, says nothing about the PIN, whatever its code",
        arguments: [
            ProblemCode.pinDestroyed, .pinEpochPassed, .pinWindowPassed, .pinCandidateOpen, .enrolmentCodeRequired,
            .messageExpired,
        ])
    func undecided(code: ProblemCode) async throws {
        let party = ScriptedPinParty(issuer, faults: [.undecided(code)])
        let (process, epoch) = (process(party), try await epoch(of: party))
        await #expect {
            try await harden(by: process, epoch)
        } throws: { error in
            guard case .unavailable(.refused(let refusal)) = error as? PinHardenerError else { return false }
            return refusal.status == 503
        }
        #expect(await party.requestCount == 1)
        _ = try await harden(by: process, epoch)
    }

    @Test("A wait between two rounds is a decision with the signed time, and the guess is not taken for a lost one")
    func waiting() async throws {
        let party = ScriptedPinParty(issuer, faults: [.waiting(PinWait(seconds: 60)), .waiting(nil)])
        let (process, epoch) = (process(party), try await epoch(of: party))
        await #expect(throws: PinHardenerError.lockedOut(wait: .seconds(60), triesLeft: 5)) {
            try await harden(by: process, epoch)
        }
        #expect(await !process.hasLostAnswer(for: epoch))
        #expect(await process.unansweredGuessCount == 0)
        // Only the standing is signed. Without a time in it, the refusal decides nothing.
        await #expect {
            try await harden(by: process, epoch)
        } throws: { error in
            guard case .unavailable(.refused(let refusal)) = error as? PinHardenerError else { return false }
            return refusal.code == .pinWaiting
        }
        _ = try await harden(by: process, epoch)
        #expect(await party.charged.count == 1)
    }

    @Test("After a lost answer a process repeats the same element, and uses another once it was answered")
    func lostAnswer() async throws {
        let party = ScriptedPinParty(issuer, faults: [.lostAnswer, .lostRequest])
        let (process, epoch) = (process(party), try await epoch(of: party))
        for _ in 0..<2 {
            await #expect(throws: PinHardenerError.unavailable(.unreachable(reason: "lost by the test"))) {
                try await harden(by: process, epoch)
            }
        }
        #expect(await process.hasLostAnswer(for: epoch))
        let other = try await harden("another", by: process, epoch)
        #expect(await process.hasLostAnswer(for: epoch))
        let answer = try await harden(by: process, epoch)
        #expect(await !process.hasLostAnswer(for: epoch))
        let charged = await party.charged
        #expect(charged.count == 2 && charged[0].id == answer.guess.id && charged[1].id == other.guess.id)
        let again = try await harden(by: process, epoch)
        #expect(again.key == answer.key && again.guess != answer.guess)
    }

    @Test("If the device's key fails after a lost answer, the same guess is still repeated")
    func keyFailsAfterLostAnswer() async throws {
        let party = ScriptedPinParty(issuer, faults: [.lostAnswer])
        let (keys, epoch) = (OneKey(), try await epoch(of: party))
        let process = TwoPartyPin(
            relyingParty: party, keys: keys, now: { party.date }, sleep: { _ in throw CancellationError() })
        await #expect(throws: PinHardenerError.self) { try await harden(by: process, epoch) }
        keys.absences.withLock { $0 = 1 }
        await #expect(throws: PinHardenerError.self) { try await harden(by: process, epoch) }
        #expect(await party.requestCount == 1)
        let answer = try await harden(by: process, epoch)
        #expect(await party.charged.map(\.id) == [answer.guess.id])
    }

    @Test("An input with a lost answer is forgotten after ten minutes; asking again is then another guess")
    func forgottenInTime() async throws {
        let party = ScriptedPinParty(issuer, faults: [.lostAnswer])
        let (times, time) = AsyncStream.makeStream(of: Duration.self)
        let (passing, pass) = AsyncStream.makeStream(of: Void.self)
        let process = process(party) { duration in
            time.yield(duration)
            for await _ in passing {}
        }
        let epoch = try await epoch(of: party)
        await #expect(throws: PinHardenerError.self) { try await harden(by: process, epoch) }
        #expect(await times.first { _ in true } == .seconds(600))
        #expect(await process.unansweredGuessCount == 1)
        #expect(await process.hasLostAnswer(for: epoch))
        pass.finish()
        while await process.unansweredGuessCount > 0 { await Task.yield() }
        #expect(await !process.hasLostAnswer(for: epoch))
        _ = try await harden(by: process, epoch)
        #expect(await party.charged.count == 2)
        #expect(await process.unansweredGuessCount == 0)
    }

    @Test("A lost answer in a window does not count once a standing names another window")
    func lostInAnotherWindow() async throws {
        let party = ScriptedPinParty(issuer, faults: [.lostRequest])
        let (process, epoch) = (process(party), try await epoch(of: party))
        #expect(await !process.hasLostAnswer(for: epoch))
        await #expect(throws: PinHardenerError.self) { try await harden(by: process, epoch) }
        #expect(await process.hasLostAnswer(for: epoch))
        await party.begin(try #require(PinWindow(rawValue: 5)))
        _ = try await process.standing(of: epoch.device)
        #expect(await !process.hasLostAnswer(for: epoch))
    }

    @Test("Inputs with lost answers are forgotten when their window ends")
    func forgottenWithWindow() async throws {
        let party = ScriptedPinParty(issuer, faults: [.lostAnswer, .lostRequest])
        let (process, epoch) = (process(party), try await epoch(of: party))
        for input in ["one", "another"] {
            await #expect(throws: PinHardenerError.self) { try await harden(input, by: process, epoch) }
        }
        #expect(await process.unansweredGuessCount == 2)
        // The first answer names the window, which is the same as before.
        _ = try await harden("third", by: process, epoch)
        #expect(await process.unansweredGuessCount == 2)
        await party.begin(try #require(PinWindow(rawValue: 5)))
        _ = try await harden("fourth", by: process, epoch)
        #expect(await process.unansweredGuessCount == 0)
    }

    @Test(
        "An answer with another key, another point or a changed proof gives nothing and costs no second guess",
        arguments: [
            ScriptedPinParty.Fault.otherKey, .otherPoint, .spoiltProof(at: 0), .spoiltProof(at: 47),
            .spoiltProof(at: 48),
            .spoiltProof(at: 95),
        ])
    func notGenuine(fault: ScriptedPinParty.Fault) async throws {
        let party = ScriptedPinParty(issuer, faults: [fault])
        let (process, epoch) = (process(party), try await epoch(of: party))
        await #expect(throws: PinHardenerError.notGenuine) { try await harden(by: process, epoch) }
        _ = try await harden(by: process, epoch)
        #expect(await party.charged.count == 1)
    }

    @Test("A device with a wrong clock gets the time with one refusal, and then uses it in its messages")
    func wrongClock() async throws {
        let party = ScriptedPinParty(issuer)
        let (process, epoch) = (process(party, behind: 3600), try await epoch(of: party))
        _ = try await harden(by: process, epoch)
        #expect(await party.requestCount == 2)
        _ = try await harden(by: process, epoch)
        #expect(await party.requestCount == 3)
    }

    @Test("An outdated window costs one more request, and so does an unknown one")
    func window() async throws {
        let fifth = try #require(PinWindow(rawValue: 5))
        let party = ScriptedPinParty(issuer, window: fifth)
        let epoch = try await epoch(of: party)
        let answer = try await harden(by: process(party), epoch)
        #expect(answer.guess.window == fifth)
        #expect(await party.requestCount == 2)
        _ = try await harden(by: process(party), epoch, in: fifth)
        #expect(await party.requestCount == 3)
    }

    @Test("A slot of another relying party sends no request")
    func elsewhere() async throws {
        let party = ScriptedPinParty(try #require(Issuer(rawValue: "https://elsewhere.example")))
        let epoch = try await epoch(of: party)
        await #expect(throws: PinHardenerError.elsewhere(epoch.device)) { try await harden(by: process(party), epoch) }
        #expect(await party.requestCount == 0)
    }
}
