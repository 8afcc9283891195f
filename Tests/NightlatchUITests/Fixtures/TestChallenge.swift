import Nightlatch
import NightlatchWire
import Testing

/// Challenges for a pad in these tests.
enum TestChallenge {
    static func profile() throws -> Profile {
        Profile(id: .random(), name: try #require(ProfileName(rawValue: "Alice")))
    }

    static func enter(
        length: Int? = 6,
        failures: Int = 0,
        lastTry: PinRefusal? = nil,
        wait: Duration? = nil,
        offersBiometrics: Bool = false,
        biometricFailure: BiometricError? = nil
    ) throws -> PinChallenge {
        PinChallenge(
            profile: try profile(), purpose: .unlock(reason: "Show the balance"),
            attempts: .init(failureCount: failures, triesLeft: 10 - failures, lastTry: lastTry, wait: wait),
            pinLength: length, offersBiometrics: offersBiometrics, biometricFailure: biometricFailure)
    }

    static func create(
        lengths: ClosedRange<Int> = 6...6,
        objections: [PinObjection] = []
    ) throws -> CreatePinChallenge {
        CreatePinChallenge(
            profile: try profile(), purpose: .registration, policy: try #require(PinPolicy(lengths: lengths)),
            objections: objections)
    }
}
