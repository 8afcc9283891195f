import Foundation
import HummingbirdTesting
import NightlatchWire
import Testing

/// A client SDK of the vendor, and its requests as bytes.
enum VendorSDK: CaseIterable, Sendable {
    /// Version 2.x for iOS and for Android.
    case ios2, android2
    /// The earlier SDKs, which send a session only as a cookie.
    case legacyIOS, legacyAndroid

    var isLegacy: Bool { self == .legacyIOS || self == .legacyAndroid }

    /// The fields of every request in a journey.
    private var fields: [String] {
        switch self {
        case .ios2:
            [
                "Accept-API-Version: resource=2.1, protocol=1.0", "Content-Type: application/json",
                "x-requested-with: ping-sdk", "x-requested-platform: ios", "Accept: */*",
                "Accept-Language: en-GB, de;q=0.9", "User-Agent: App/1 CFNetwork/1568.100.1 Darwin/24.0.0",
            ]
        case .android2:
            [
                "x-requested-with: ping-sdk", "x-requested-platform: android",
                "Accept-API-Version: resource=2.1, protocol=1.0", "Accept-Language: en-GB, de;q=0,9",
                "Accept: application/json", "Accept-Charset: UTF-8", "User-Agent: ktor-client",
                "Content-Type: application/json",
            ]
        case .legacyIOS:
            [
                "Content-Type: application/json", "accept-api-version: resource=2.1,protocol=1.0",
                "x-requested-with: forgerock-sdk", "x-requested-platform: ios", "Accept: */*",
            ]
        case .legacyAndroid:
            [
                "Accept-API-Version: resource=2.1, protocol=1.0", "x-requested-with: forgerock-sdk",
                "x-requested-platform: android", "Accept-Encoding: gzip", "User-Agent: okhttp/4.12.0",
            ]
        }
    }

    /// Returns the request that begins a journey.
    func start(_ journey: String, session: String? = nil) -> VendorRequest {
        let flags = self == .android2 ? "&ForceAuth=false&noSession=false" : ""
        return VendorRequest(
            "POST", "/authenticate?authIndexType=service&authIndexValue=" + journey + flags,
            fields: fields + credentials(session), body: isLegacy ? "" : "{}")
    }

    /// Returns the request that answers a step: the server's question with its callbacks filled.
    func step(_ asked: JSONValue, filled callbacks: [JSONValue], session: String? = nil) throws -> VendorRequest {
        let own: [String] =
            switch self {
            case .ios2: ["authId"]
            case .android2: try #require(asked.object).members.map(\.name).filter { $0 != "callbacks" }
            case .legacyIOS: ["authId", "stage", "header", "description"]
            case .legacyAndroid: ["authId", "stage"]
            }
        let members = own.compactMap { name in asked[name].map { JSONObject.Member(name, $0) } }
        let query =
            switch self {
            case .ios2: "?noSession=false&ForceAuth=false"
            case .android2: "?noSession=false"
            case .legacyIOS, .legacyAndroid: ""
            }
        let type = self == .legacyAndroid ? ["Content-Type: application/json; charset=utf-8"] : []
        return VendorRequest(
            "POST", "/authenticate" + query, fields: fields + type + credentials(session),
            body: JSONValue.object(members + [.init("callbacks", .array(callbacks))]).json)
    }

    /// Returns the request for a session's information.
    func sessionInfo(_ session: String) -> VendorRequest {
        VendorRequest(
            "POST", "/sessions?_action=getSessionInfo", fields: fields + credentials(session),
            body: self == .android2 ? "{}" : "")
    }

    /// Returns the request that ends a session.
    func logout(_ session: String) -> VendorRequest {
        let body =
            switch self {
            case .ios2, .android2: "{}"
            case .legacyIOS: #"{"tokenId":"\#(session)"}"#
            case .legacyAndroid: ""
            }
        // The legacy SDKs send both.
        let header = isLegacy ? ["iPlanetDirectoryPro: " + session] : []
        return VendorRequest(
            "POST", "/sessions?_action=logout", fields: fields + credentials(session) + header, body: body)
    }

    /// Returns the request that unbinds a key. The legacy SDKs name the user by universal id, and the key by its `kid`.
    func unbind(_ kid: String, of user: String, session: String?) -> VendorRequest {
        let id = isLegacy ? "id=\(user),ou=user,o=alpha,ou=services,ou=am-config" : user
        return VendorRequest(
            "DELETE", "/users/\(id)/devices/2fa/binding/\(kid)", fields: fields + credentials(session),
            body: self == .android2 ? "{}" : "")
    }

    private func credentials(_ session: String?) -> [String] {
        session.map { [(isLegacy ? "Cookie: iPlanetDirectoryPro=" : "iPlanetDirectoryPro: ") + $0] } ?? []
    }
}

/// A request as exact bytes.
struct VendorRequest: Sendable {
    let text: String

    init(_ method: String, _ path: String, fields: [String], body: String) {
        let head =
            ["\(method) /am/json/realms/alpha\(path) HTTP/1.1", "Host: 127.0.0.1"] + fields
            + (method == "DELETE" && body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"])
        text = head.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    /// Sends the request over a new connection and returns the answer.
    func answer(port: Int) async throws -> VendorAnswer {
        let connection = try RawConnection(port: port)
        connection.send(text.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n", maxReplacements: 1))
        var received = ""
        while let piece = await connection.receive(), !piece.isEmpty { received += piece }
        return try VendorAnswer(received)
    }
}

struct VendorAnswer: Sendable {
    let status: Int
    /// The parts of each cookie that is set: name and value, and its attributes.
    let cookies: [Set<String>]
    let body: String

    init(_ text: String) throws {
        let end = try #require(text.range(of: "\r\n\r\n"), "\(text)")
        let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        status = try #require(lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) })
        let start = "set-cookie: "
        cookies = lines.filter { $0.lowercased().hasPrefix(start) }
            .map { Set($0.dropFirst(start.count).components(separatedBy: "; ")) }
        body = String(text[end.upperBound...])
    }

    func json() throws -> JSONValue { try StrictJSON.decode(JSONValue.self, from: Array(body.utf8)) }

    /// Returns the token of a journey that ended with success.
    func token() throws -> String { try #require(try json()["tokenId"]?.string, "\(body)") }

    /// Returns the callbacks of the question, with `values` in the inputs of each callback.
    func filled(_ values: [[JSONValue]]) throws -> [JSONValue] {
        let callbacks = try #require(try json()["callbacks"]?.array, "\(body)")
        return try zip(callbacks, values).map { callback, values in
            let inputs = try #require(callback["input"]?.array)
            let new = try zip(inputs, values).map { input, value in
                JSONValue.object([.init("name", try #require(input["name"])), .init("value", value)])
            }
            let members = try #require(callback.object).members
            let input = JSONObject.Member("input", .array(new))
            return JSONValue.object(members.map { $0.name == "input" ? input : $0 })
        }
    }
}
