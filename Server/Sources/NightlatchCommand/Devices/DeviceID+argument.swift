import NightlatchProgram
import NightlatchWire

extension DeviceID {
    /// Parses a device id from the command line.
    static func parse(_ text: String) throws(CommandFailure) -> DeviceID {
        guard let id = DeviceID(rawValue: text) else {
            throw CommandFailure(.usage, "“\(text)” is not a device id, which has 32 digits 0 to 9 and a to f.")
        }
        return id
    }
}

extension DeviceName {
    /// Parses a device name from the command line.
    static func parse(_ text: String) throws(CommandFailure) -> DeviceName {
        guard let name = DeviceName(rawValue: text) else {
            throw CommandFailure(.usage, "This is not a device name: it has 1 to 64 characters, in one line.")
        }
        return name
    }
}
