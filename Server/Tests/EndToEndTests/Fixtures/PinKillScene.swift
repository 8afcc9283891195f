import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchWire
import Testing

/// Servers that are killed in turn, and a device whose messages the test signs.
struct PinKillScene {
    let fleet: ServerFleet
    let device: SigningDevice
    var victim = 0

    init(fleet: ServerFleet, device: SigningDevice) {
        self.fleet = fleet
        self.device = device
    }

    func ask(_ message: some Encodable, _ route: Route, at number: Int? = nil) async throws -> ReceivedPinAnswer {
        try ReceivedPinAnswer(
            await PinMessages.post(message, to: route, at: fleet.addresses[number ?? (victim + 1) % 3]))
    }

    func standing() async throws -> ReceivedPinAnswer {
        try await ask(PinRequest(message: device.pinMessage(PinInquiry())), .pinStanding)
    }

    func triesLeft() async throws -> Int { try await standing().read(PinStanding.self).triesLeft }

    /// Kills a server in the middle of each write of a step, and then a server that has answered.
    ///
    /// Each time another server reports the device's standing. At the end another server gives the same answer as the
    /// killed one, with no second effect.
    ///
    /// - Parameter writes: The number of transactions in the step. Each but the first charges a guess.
    mutating func killed<Message: Encodable & Sendable>(
        at route: Route,
        writes: Int = 1,
        _ message: () throws -> Message
    ) async throws -> ReceivedPinAnswer {
        var before = try await standing()
        for write in 0..<writes {
            let (request, address) = (try message(), fleet.addresses[victim])
            try await fleet.holdPinWrites(after: write)
            let lost = Task { try? await PinMessages.post(request, to: route, at: address) }
            try await fleet.waitForHeldPinWrite()
            try await fleet.replace(victim) {
                let answer = await lost.value
                #expect(answer == nil)
                try await fleet.releasePinWrites()
            }
            let after = try await standing()
            if write > 0 {
                let left = try before.read(PinStanding.self).triesLeft
                #expect(try after.read(PinStanding.self).triesLeft == left - 1, "\(route), write \(write)")
            } else {
                #expect(after == before, "\(route): what was not committed never was")
            }
            before = after
            victim = (victim + 1) % 3
        }
        let answer = try await ask(message(), route, at: victim)
        try await fleet.replace(victim)
        let after = try await standing()
        #expect(try await ask(message(), route) == answer, "\(route): asked again")
        #expect(try await standing() == after, "\(route): no second effect")
        victim = (victim + 1) % 3
        return answer
    }

    /// Spends the guesses that are left, then sends one more, which must be refused.
    func expectLimit(_ left: Int, of offer: PinEpochOffer, in window: PinWindow) async throws {
        #expect(try await triesLeft() == left)
        for number in 0...left {
            let element = try BlindedDigits("\(number)", for: offer.publicKey).element
            let answer = try await ask(device.pinGuess(element, offer.epoch, window), .evaluatePin)
            #expect(try answer.refusal == (number < left ? nil : .pinDestroyed))
        }
    }
}
