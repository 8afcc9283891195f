package import NightlatchRelyingParty
package import NightlatchWire
import Testing

/// Values that journeys record in a store.
package enum TestJourneys {
    package static let life: Duration = .seconds(3600)

    package static func device(
        _ id: String = "4B0C63B5",
        of user: UserID,
        name: DeviceName? = nil,
        key: TestKey = .newEC(),
        protection: JourneyKeyProtection? = .applicationPin
    ) throws -> JourneyDevice {
        JourneyDevice(
            id: try #require(JourneyKeyID(rawValue: id)), user: user, application: "com.example.app", key: try key.jwk,
            algorithm: .es256, machine: try #require(MachineID(rawValue: "machine-1")),
            name: try name ?? Fixture.phone(), boundAt: TestTime.current, lastAccessAt: TestTime.current,
            protection: protection)
    }

    package static func use(_ oneTimeKey: Challenge = .random()) -> JourneyStepUse {
        JourneyStepUse(oneTimeKey: oneTimeKey, expiresAt: TestTime.current + .seconds(300))
    }

    package static func binding(_ device: JourneyDevice, limit: Int? = nil, use: JourneyStepUse? = use()) -> JourneyStep
    {
        JourneyStep(use: use, bindings: [JourneyBinding(device: device, limit: limit)])
    }

    package static func session(
        of user: UserID,
        by key: JourneyKeyID? = nil,
        token: JourneySessionHash = Fixture.hash(),
        signed: JourneySigned? = nil
    ) -> NewJourneySession {
        NewJourneySession(token: token, user: user, journey: "sign", key: key, signed: signed, life: life)
    }
}
