import Nightlatch
import NightlatchWire
import Testing

/// Challenges for a pad in these tests.
enum TestChallenge {
    static func profile() -> Profile {
        Profile(id: .random(), name: "Alice")
    }

    static func enter(
        length: Int? = 6,
        failures: Int = 0,
        lastTry: PinRefusal? = nil,
        wait: Duration? = nil,
        end: LockoutEnd? = nil,
        offersBiometrics: Bool = false,
        biometricFailure: BiometricError? = nil
    ) throws -> PinChallenge {
        PinChallenge(
            profile: profile(), purpose: .unlock(reason: "Show the balance"),
            attempts: .init(failureCount: failures, triesLeft: 10 - failures, lastTry: lastTry, wait: wait, end: end),
            pinLength: length, offersBiometrics: offersBiometrics, biometricFailure: biometricFailure)
    }

    static func create(
        lengths: ClosedRange<Int> = 6...6,
        objections: [PinObjection] = [],
        current: PinBox? = nil
    ) throws -> CreatePinChallenge {
        CreatePinChallenge(
            profile: profile(), purpose: .registration, policy: try PinPolicy(lengths: lengths),
            objections: objections, current: current)
    }
}
