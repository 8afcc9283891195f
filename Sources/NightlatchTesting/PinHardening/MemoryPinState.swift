import Crypto
import Foundation
import Nightlatch
import NightlatchWire

/// What the other side of hardened PINs keeps.
struct MemoryPinState: Sendable {
    struct Epoch: Sendable {
        let number: PinEpoch
        let key = SymmetricKey(size: .bits256)
        let publicKey: PinPublicKey
        let openedBy: KeyID
    }

    struct Guess: Sendable {
        let id: PinGuessID
        let epoch: PinEpoch
        let input: [UInt8]
        let life: UUID
    }

    struct Device: Sendable {
        var nextEpoch = PinEpoch.first
        var window = PinWindow.first
        var current: Epoch?
        var candidate: Epoch?
        var knowledgeKey: KeyID?
        var guesses: [Guess] = []
        var lastClearing: PinGuessID?
        var isCodeRequired = false
        var isDestroyed = false

        func live(_ number: PinEpoch) -> Epoch? {
            [current, candidate].compactMap { $0 }.first { $0.number == number }
        }
    }

    struct Answer {
        let key: [UInt8]
        let guess: HardenedGuess
        let charged: PinGuessIDs
        let triesLeft: Int
    }

    let limit: Int
    var devices: [DeviceID: Device] = [:]
    var deviceKeys: [DeviceID: KnowledgeKey] = [:]
    var callCount = 0
    var chargedCount = 0
    /// What every request is answered with, if any is.
    var answer: PinHardenerError?
    var fault: (call: Int, kind: MemoryPinHardener.Fault, isLasting: Bool)?

    private static let wrongKey = PinHardenerError.refused(
        RelyingPartyRefusal(code: .messageRefused, status: 400, title: "not the key that has opened it"))

    init(limit: Int) {
        self.limit = limit
    }

    func standing(of device: Device) -> PinStanding {
        PinStanding(
            epoch: device.current?.number, candidate: device.candidate?.number, nextEpoch: device.nextEpoch,
            window: device.window, triesLeft: max(0, limit - device.guesses.count),
            isCodeRequired: device.isCodeRequired, issuedAt: NumericDate(secondsSince1970: 0))
    }

    mutating func open(
        _ device: HardenedDevice,
        by key: KeyID,
        hasCode: Bool
    ) -> Result<HardenedEpoch, PinHardenerError> {
        var row = devices[device.device] ?? Device()
        if key != row.knowledgeKey || row.current == nil {
            guard key == deviceKeys[device.device]?.publicKey.thumbprint else { return .failure(.codeNeeded) }
            guard hasCode || !row.isCodeRequired else { return .failure(.codeNeeded) }
        }
        if key == row.knowledgeKey, let open = row.candidate, open.openedBy != key {
            return .failure(.candidateOpen(standing(of: row)))
        }
        // Full credentials begin anew; what was used up stays destroyed.
        if hasCode, row.guesses.count >= limit {
            row.guesses = []
            row.window = row.window.next
            row.current = nil
        }
        let point = [2] + (0..<48).map { _ in UInt8.random(in: 0...255) }
        guard let publicKey = PinPublicKey(bytes: point) else { return .failure(.notGenuine) }
        let epoch = Epoch(number: row.nextEpoch, publicKey: publicKey, openedBy: key)
        row.candidate = epoch
        row.nextEpoch = row.nextEpoch.next
        row.isDestroyed = false
        devices[device.device] = row
        return .success(HardenedEpoch(device: device, epoch: epoch.number, publicKey: publicKey))
    }

    mutating func evaluate(
        _ input: [UInt8],
        for epoch: HardenedEpoch,
        in life: UUID
    ) -> Result<Answer, PinHardenerError> {
        guard var row = devices[epoch.device.device] else { return .failure(.epochPassed(standing(of: Device()))) }
        guard !row.isDestroyed else { return .failure(.destroyed) }
        guard let live = row.live(epoch.epoch) else { return .failure(.epochPassed(standing(of: row))) }
        let known = row.guesses.first { $0.epoch == epoch.epoch && $0.input == input && $0.life == life }
        let guess: Guess
        if let known {
            guess = known
        } else {
            guard row.guesses.count < limit else {
                row.current = nil
                row.candidate = nil
                row.isDestroyed = true
                row.isCodeRequired = true
                devices[epoch.device.device] = row
                return .failure(.destroyed)
            }
            guess = Guess(id: .random(), epoch: epoch.epoch, input: input, life: life)
            row.guesses.append(guess)
            chargedCount += 1
        }
        devices[epoch.device.device] = row
        let key = HMAC<SHA384>.authenticationCode(for: input, using: live.key)
        guard let charged = PinGuessIDs(row.guesses.map(\.id)) else { return .failure(.notGenuine) }
        return .success(
            Answer(
                key: Array(key), guess: HardenedGuess(id: guess.id, window: row.window), charged: charged,
                triesLeft: limit - row.guesses.count))
    }

    mutating func prove(
        _ guess: PinGuessID,
        for epoch: HardenedEpoch,
        by key: KeyID
    ) -> Result<PinWindow, PinHardenerError> {
        guard var row = devices[epoch.device.device] else { return .failure(.destroyed) }
        guard row.lastClearing != guess else { return .success(row.window) }
        guard row.current?.number == epoch.epoch, row.knowledgeKey == key,
            row.guesses.contains(where: { $0.id == guess && $0.epoch == epoch.epoch })
        else { return .failure(.epochPassed(standing(of: row))) }
        row.clear(by: guess)
        devices[epoch.device.device] = row
        return .success(row.window)
    }

    mutating func promote(
        _ candidate: HardenedEpoch,
        guess: PinGuessID,
        knowledgeKey: KeyID,
        by opener: KeyID
    ) -> Result<PinWindow, PinHardenerError> {
        guard var row = devices[candidate.device.device] else { return .failure(.destroyed) }
        guard row.lastClearing != guess else { return .success(row.window) }
        guard let live = row.candidate, live.number == candidate.epoch, live.openedBy == opener,
            row.guesses.contains(where: { $0.id == guess && $0.epoch == candidate.epoch })
        else { return .failure(.epochPassed(standing(of: row))) }
        row.current = live
        row.candidate = nil
        row.knowledgeKey = knowledgeKey
        row.isCodeRequired = true
        row.clear(by: guess)
        devices[candidate.device.device] = row
        return .success(row.window)
    }

    mutating func abandon(
        _ candidate: PinEpoch,
        of device: HardenedDevice,
        by opener: KeyID
    ) -> Result<Void, PinHardenerError> {
        guard var row = devices[device.device], row.current?.number != candidate, candidate < row.nextEpoch else {
            return .failure(.epochPassed(standing(of: devices[device.device] ?? Device())))
        }
        if let open = row.candidate, open.number == candidate {
            guard open.openedBy == opener else { return .failure(Self.wrongKey) }
            row.candidate = nil
        }
        devices[device.device] = row
        return .success(())
    }
}

extension MemoryPinState.Device {
    fileprivate mutating func clear(by guess: PinGuessID) {
        guesses = []
        window = window.next
        lastClearing = guess
    }
}
