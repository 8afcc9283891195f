public import Foundation
internal import NightlatchWire

/// A device as the server lists it.
public struct BoundDevice: Identifiable, Hashable, Sendable {
    let json: JSONObject
    /// What the server knows the device by: the name of its key on the wire (``UserKey/kid``).
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

/// The devices that the server has bound to the session's user, this one and others.
public struct BoundDevices: Sendable {
    private static let version = "resource=1.0"

    private let journey: Journey

    init(_ journey: Journey) {
        self.journey = journey
    }

    /// All bound devices of the user. An error is never an empty list.
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

    /// Calls a device otherwise. What else the server has written of it goes back as it came.
    public func rename(_ device: BoundDevice, to name: String) async throws(JourneyError) {
        let (server, token, path) = try await access()
        var json = device.json
        json.set("deviceName", .string(name))
        let answer = try await server.send(
            "PUT", "\(path)/\(JourneyServer.escape(device.id))", version: Self.version, body: .object(json),
            session: token)
        guard answer.status < 300 else { throw .refused(answer) }
    }

    /// Has the server forget a device, and then removes its key, if it is this one's. One that the server does not know any more is
    /// forgotten as well.
    public func delete(_ device: BoundDevice) async throws(JourneyError) {
        let (server, token, path) = try await access()
        let answer = try await server.send(
            "DELETE", "\(path)/\(JourneyServer.escape(device.id))", version: Self.version, session: token)
        if answer.status == 404 {
            // Another path or another machine may be what was not found. The list says whether it is the device.
            guard try await !list().contains(where: { $0.id == device.id }) else { throw .refused(answer) }
        } else if answer.status >= 300 {
            throw .refused(answer)
        }
        do {
            try await journey.userKeys?.removeKey(named: device.id)
        } catch {
            throw .deviceBinding(error)
        }
    }

    /// The server, the session's token, and where its user's devices are.
    private func access() async throws(JourneyError) -> (JourneyServer, String, String) {
        guard let server = journey.server else { throw .notConfigured }
        guard let token = journey.session?.value, !token.isEmpty else { throw .noSession }
        let answer = try await server.send(
            "POST", "/sessions?_action=getSessionInfo", version: "resource=2.1", body: .object(JSONObject()),
            session: token)
        guard answer.status < 300 else { throw .refused(answer) }
        guard let user = answer.body["username"]?.string, !user.isEmpty else {
            throw .unintelligible(status: answer.status)
        }
        return (server, token, "/users/\(JourneyServer.escape(user))/devices/2fa/binding")
    }
}

extension Journey {
    /// The devices that the server has bound to the session's user.
    public var boundDevices: BoundDevices { BoundDevices(self) }
}
