public import Foundation
internal import NightlatchWire

/// A device in the server's list.
public struct BoundDevice: Identifiable, Hashable, Sendable {
    let json: JSONObject
    /// The server's name for the device: the name of its key on the wire (``UserKey/kid``).
    public let id: String
    public let deviceName: String
    public let deviceId: String
    public let createdDate: Date?
    public let lastAccessDate: Date?

    init?(_ json: JSONObject) {
        guard let id = json["_id"]?.string, !id.isEmpty else { return nil }
        self.json = json
        self.id = id
        deviceName = json["deviceName"]?.string ?? ""
        deviceId = json["deviceId"]?.string ?? ""
        createdDate = Self.date(json["createdDate"])
        lastAccessDate = Self.date(json["lastAccessDate"])
    }

    private static func date(_ value: JSONValue?) -> Date? {
        value?.integer.map { Date(timeIntervalSince1970: TimeInterval($0) / 1000) }
    }
}

/// The devices that the server has bound to the session's user, including this one.
public struct BoundDevices: Sendable {
    private static let version = "resource=1.0"

    private let journey: Journey

    init(_ journey: Journey) {
        self.journey = journey
    }

    /// Returns all bound devices of the user. After an error it throws, and never returns an empty list.
    public func list() async throws(JourneyError) -> [BoundDevice] {
        let (server, token, path) = try await access()
        let answer = try await server.send(
            "GET", "\(path)?_queryFilter=true", version: Self.version, session: token)
        guard answer.status < 300 else { throw .refused(answer) }
        guard let result = answer.body["result"]?.array else { throw .unintelligible(status: answer.status) }
        var devices: [BoundDevice] = []
        for value in result {
            guard let device = value.object.flatMap(BoundDevice.init) else {
                throw .unintelligible(status: answer.status)
            }
            devices.append(device)
        }
        return devices
    }

    /// Renames a device. Other members of the server's record are sent back unchanged.
    public func rename(_ device: BoundDevice, to name: String) async throws(JourneyError) {
        let (server, token, path) = try await access()
        var json = device.json
        json.set("deviceName", .string(name))
        let answer = try await server.send(
            "PUT", "\(path)/\(FormText.escape(device.id))", version: Self.version, body: .object(json),
            session: token)
        guard answer.status < 300 else { throw .refused(answer) }
    }

    /// Deletes a device at the server, and then its key, if the key is on this device. Succeeds too if the server no
    /// longer has the device.
    public func delete(_ device: BoundDevice) async throws(JourneyError) {
        let (server, token, path) = try await access()
        let answer = try await server.send(
            "DELETE", "\(path)/\(FormText.escape(device.id))", version: Self.version, session: token)
        if answer.status == 404 {
            // The status may mean another path or another server. The list shows whether the device was deleted.
            guard try await !list().contains(where: { $0.id == device.id }) else { throw .refused(answer) }
        } else if answer.status >= 300 {
            throw .refused(answer)
        }
        do {
            try await journey.userKeys?.removeKey(named: device.id)
        } catch {
            throw JourneyError(error)
        }
    }

    /// The server, the session's token, and the path of the user's devices.
    private func access() async throws(JourneyError) -> (JourneyServer, String, String) {
        guard let server = journey.server else { throw .notConfigured }
        guard let token = await journey.sessionToken else { throw .noSession }
        let answer = try await server.send(
            "POST", "/sessions?_action=getSessionInfo", version: "resource=2.1", body: .object(JSONObject()),
            session: token)
        guard answer.status < 300 else { throw .refused(answer) }
        guard let user = answer.body["username"]?.string, !user.isEmpty else {
            throw .unintelligible(status: answer.status)
        }
        return (server, token, "/users/\(FormText.escape(user))/devices/2fa/binding")
    }
}

extension Journey {
    /// The devices that the server has bound to the session's user.
    public var boundDevices: BoundDevices { BoundDevices(self) }
}
