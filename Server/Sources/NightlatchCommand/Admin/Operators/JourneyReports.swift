import NightlatchRelyingParty
import NightlatchWire

/// A journey key in the output of `--json`.
struct JourneyKeyReport: Encodable {
    let id: JourneyKeyID
    let user: UserID
    let application: String
    let name: DeviceName
    let machine: MachineID
    let algorithm: SignatureAlgorithm
    let keyID: KeyID
    let boundAt: NumericDate
    let lastAccessAt: NumericDate

    init(_ device: JourneyDevice) {
        id = device.id
        user = device.user
        application = device.application
        name = device.name
        machine = device.machine
        algorithm = device.algorithm
        keyID = device.key.thumbprint
        boundAt = device.boundAt
        lastAccessAt = device.lastAccessAt
    }

    private enum CodingKeys: String, CodingKey {
        case id, user, application, name, machine, algorithm
        case keyID = "key_id"
        case boundAt = "bound_at"
        case lastAccessAt = "last_access_at"
    }
}

/// A journey session in the output of `--json`. It does not contain the token, which only the client has.
struct JourneySessionReport: Encodable {
    let user: UserID
    let journey: String
    let key: JourneyKeyID?
    let beganAt: NumericDate
    let expiresAt: NumericDate

    init(_ session: JourneySession) {
        user = session.user
        journey = session.journey
        key = session.key
        beganAt = session.beganAt
        expiresAt = session.expiresAt
    }

    private enum CodingKeys: String, CodingKey {
        case user, journey, key
        case beganAt = "began_at"
        case expiresAt = "expires_at"
    }
}

extension Table {
    init(of devices: [JourneyDevice]) {
        self.init("KEY", "APP", "BOUND", "LAST SIGNED", "NAME")
        for device in devices {
            add(
                device.id.rawValue, device.application, device.boundAt.shown, device.lastAccessAt.shown,
                device.name.rawValue)
        }
    }

    init(of sessions: [JourneySession]) {
        self.init("JOURNEY", "BEGAN", "ENDS", "SIGNED BY")
        for session in sessions {
            add(session.journey, session.beganAt.shown, session.expiresAt.shown, session.key?.rawValue ?? "-")
        }
    }
}
