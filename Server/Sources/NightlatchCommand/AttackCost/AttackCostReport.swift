import Nightlatch

/// The result of `attack-cost`, encoded as a JSON object. ``lines`` has the same result as text for people.
struct AttackCostReport: Encodable {
    /// The number of PINs of one length, and the times to try them.
    struct Pins: Encodable {
        let digits: Int
        let count: Int
        let commonCount: Int
        let all: Seconds
        let withoutCommon: Seconds

        enum CodingKeys: String, CodingKey {
            case digits, count, all
            case commonCount = "common_count"
            case withoutCommon = "without_common"
        }
    }

    struct Seconds: Encodable {
        let expected: Double
        let whole: Double

        init(_ time: AttackTime) {
            expected = time.expected / .seconds(1)
            whole = time.whole / .seconds(1)
        }

        enum CodingKeys: String, CodingKey {
            case expected = "expected_seconds"
            case whole = "whole_seconds"
        }
    }

    let cost: AttackCost
    let vault: String?
    let isDeviceBound: Bool?
    /// The obstacles for a thief of the vault; nil if the report is not about a vault.
    let thieves: Thieves?

    init(
        of parameters: KeyDerivationParameters,
        vault: String?,
        isDeviceBound: Bool?,
        thieves: Thieves? = nil
    ) {
        cost = AttackCost(of: parameters)
        self.vault = vault
        self.isDeviceBound = isDeviceBound
        self.thieves = thieves
    }

    private enum CodingKeys: String, CodingKey {
        case vault, hardware, source, address, pins, thieves
        case keyDerivation = "key_derivation"
        case guessesPerSecond = "guesses_per_second"
        case measuredGuessesPerSecond = "measured_guesses_per_second"
        case measuredSetting = "measured_setting"
        case isDeviceBound = "device_bound"
        case notIncluded = "not_included"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(vault, forKey: .vault)
        try container.encode(isDeviceBound, forKey: .isDeviceBound)
        try container.encode(cost.keyDerivation, forKey: .keyDerivation)
        try container.encode(cost.guessesPerSecond, forKey: .guessesPerSecond)
        try container.encode(cost.benchmark.hardware, forKey: .hardware)
        try container.encode(cost.benchmark.guessesPerSecond, forKey: .measuredGuessesPerSecond)
        try container.encode(cost.benchmark.setting, forKey: .measuredSetting)
        try container.encode(cost.benchmark.source, forKey: .source)
        try container.encode(cost.benchmark.address, forKey: .address)
        try container.encodeIfPresent(thieves, forKey: .thieves)
        try container.encode(PinSpace.usual.map(pins), forKey: .pins)
        try container.encode(notIncluded, forKey: .notIncluded)
    }

    private func pins(of space: PinSpace) -> Pins {
        Pins(
            digits: space.digitCount, count: space.pinCount, commonCount: space.commonPinCount,
            all: Seconds(cost.time(toTry: space.pinCount)),
            withoutCommon: Seconds(cost.time(toTry: space.allowedPinCount)))
    }

    /// The limits of the figures, one sentence each.
    var notIncluded: [String] {
        [
            copying,
            "A part of the key in the device's hardware or at a server (two-party PIN): with it, a copy alone allows no "
                + "guesses, and the figures are for a thief with both parts.",
            "A PIN that a person chose: a thief tries likely PINs first and finds it sooner. The figures hold only for "
                + "random PINs.",
            "More and newer cards: twice as many need half the time.",
        ]
    }

    /// The step that an attacker needs before the first guess.
    private var copying: String {
        switch isDeviceBound {
        case true?:
            "Getting a copy: this vault's store binds it to the device. A thief must break that before the first guess."
        case false?: "Lockout: it applies on this device alone, and this vault's file can be copied to another."
        case nil:
            "Lockout, and getting a copy: no lockout applies to a copy. If a store binds the vault to its device, a thief "
                + "must break that before the first guess."
        }
    }
}
