import NightlatchRelyingParty
import NightlatchWire

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
