import Nightlatch
import NightlatchUI
import NightlatchWire
import Testing

extension PinPad {
    /// Returns a pad that asks for the PIN of a vault.
    static func entering(
        reason: String = "to unlock the vault",
        failureCount: Int = 0,
        pinLength: Int? = nil,
        lastTry: PinRefusal? = nil,
        wait: Duration? = nil,
        end: LockoutEnd? = nil,
        offersBiometrics: Bool = false,
        order: PinPadOrder = .telephone
    ) throws -> PinPad {
        var pad = PinPad()
        let challenge = PinChallenge(
            profile: try .someone, purpose: .unlock(reason: reason),
            attempts: .init(
                failureCount: failureCount, triesLeft: 10 - failureCount, lastTry: lastTry, wait: wait, end: end),
            pinLength: pinLength, offersBiometrics: offersBiometrics)
        _ = pad.handle(.ask(challenge, order))
        return pad
    }

    /// Returns a pad that asks for a new PIN of six digits.
    static func choosing() throws -> PinPad {
        var pad = PinPad()
        _ = pad.handle(
            .askNew(CreatePinChallenge(profile: try .someone, purpose: .registration, policy: .default), .telephone))
        return pad
    }

    mutating func type(_ digits: String) {
        for case let digit? in digits.utf8.map({ PinDigit(rawValue: $0 - UInt8(ascii: "0")) }) {
            _ = handle(.press(.digit(digit)))
        }
    }
}

extension Profile {
    fileprivate static var someone: Profile {
        get throws { Profile(id: .random(), name: try #require(ProfileName(rawValue: "Alice"))) }
    }
}
