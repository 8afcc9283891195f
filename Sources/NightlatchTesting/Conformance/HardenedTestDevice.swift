import Crypto
public import Nightlatch
public import NightlatchWire

/// A device for the tests of a hardener. It must never have opened an epoch.
public struct HardenedTestDevice: Sendable {
    private let device: HardenedDevice
    private let key: any DeviceKey
    private let makeHardener: @Sendable () -> any PinHardener
    private let makeCode: @Sendable () async throws -> EnrolmentCode

    /// Creates a device.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - key: Its device key. A hardener in a chip accepts any key.
    ///   - makeHardener: Returns the hardener in the state of a new process.
    ///   - makeCode: Returns a new enrolment code, as a user with full credentials gets it.
    public init(
        _ device: HardenedDevice,
        key: any DeviceKey,
        makeHardener: @escaping @Sendable () -> any PinHardener,
        makeCode: @escaping @Sendable () async throws -> EnrolmentCode = { .random() }
    ) {
        self.device = device
        self.key = key
        self.makeHardener = makeHardener
        self.makeCode = makeCode
    }

    /// A current epoch, and the key that proves its guesses.
    struct Enrolment: Sendable {
        let epoch: HardenedEpoch
        let knowledgeKey: KnowledgeKey
        let window: PinWindow

        var opener: PinEpochOpener { PinEpochOpener(key: knowledgeKey) }
    }

    var opener: PinEpochOpener { PinEpochOpener(key: key) }

    func openerWithCode() async throws -> PinEpochOpener { PinEpochOpener(key: key, code: try await makeCode()) }

    func standing() async throws -> PinStanding { try await makeHardener().standing(of: device) }

    func open(by opener: PinEpochOpener) async throws -> HardenedEpoch {
        try await makeHardener().open(device, by: opener)
    }

    /// Hardens an input in which every byte is `digit`, as a new process.
    func harden(_ digit: UInt8, for epoch: HardenedEpoch) async throws -> HardenedPin {
        try await makeHardener().harden(
            SecretBytes(copying: [UInt8](repeating: digit, count: 32)), for: epoch, in: nil)
    }

    /// Hardens the same input twice, as one process.
    func hardenTwice(_ digit: UInt8, for epoch: HardenedEpoch) async throws -> [HardenedPin] {
        let hardener = makeHardener()
        let input = SecretBytes(copying: [UInt8](repeating: digit, count: 32))
        var pins: [HardenedPin] = []
        for _ in 0..<2 { pins.append(try await hardener.harden(input, for: epoch, in: nil)) }
        return pins
    }

    /// Whether a process reports a lost answer although it has sent nothing yet, or has received the answer.
    func losesAnswers(for epoch: HardenedEpoch) async throws -> Bool {
        let hardener = makeHardener()
        guard await !hardener.hasLostAnswer(for: epoch) else { return true }
        _ = try await hardener.harden(SecretBytes(copying: [UInt8](repeating: 1, count: 32)), for: epoch, in: nil)
        return await hardener.hasLostAnswer(for: epoch)
    }

    func prove(
        _ guess: HardenedGuess,
        own: PinGuessIDs = .none,
        for epoch: HardenedEpoch,
        by key: KnowledgeKey
    ) async throws -> PinWindow {
        try await makeHardener().prove(guess, own: own, for: epoch, by: key)
    }

    func promote(
        _ epoch: HardenedEpoch,
        _ guess: HardenedGuess,
        _ knowledgeKey: KnowledgeKey,
        by opener: PinEpochOpener
    ) async throws -> PinWindow {
        try await makeHardener().promote(epoch, guess: guess, knowledgeKey: knowledgeKey, by: opener)
    }

    func abandon(_ epoch: HardenedEpoch, by opener: PinEpochOpener) async throws {
        try await makeHardener().abandon(epoch.epoch, of: device, by: opener)
    }

    /// Opens an epoch, hardens the input 1 for it, and promotes it.
    func enrol(by opener: PinEpochOpener? = nil) async throws -> Enrolment {
        let (opener, key) = (opener ?? self.opener, KnowledgeKey.random())
        let epoch = try await open(by: opener)
        let guess = try await harden(1, for: epoch).guess
        return Enrolment(
            epoch: epoch, knowledgeKey: key, window: try await promote(epoch, guess, key, by: opener))
    }
}
