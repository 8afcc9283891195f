internal import Foundation
internal import Nightlatch
internal import NightlatchWire

/// Sends requests to one server and realm, and reads the answers: JSON objects with their status.
struct JourneyServer: Sendable {
    /// The limits of an answer. Callbacks may contain texts, scripts and pictures.
    static let limits = JSONLimits(byteCount: 1024 * 1024, depth: 32)

    struct Answer: Sendable {
        let status: Int
        let body: JSONObject
    }

    let issuer: Issuer
    let realm: String
    let cookie: String
    let languages: [String]
    let timeout: Duration
    let transport: any HTTPTransport

    init?(_ config: JourneyConfig) {
        var url = config.serverUrl ?? ""
        while url.hasSuffix("/") { url.removeLast() }
        guard let issuer = Issuer(rawValue: url), let transport = config.transport,
            config.realm.contains(where: { $0 != "/" }),
            Self.isToken(config.cookie), (0.001...86_400).contains(config.timeout)
        else { return nil }
        self.issuer = issuer
        self.transport = transport
        realm = config.realm
        cookie = config.cookie
        languages = config.languages.filter(Self.isToken)
        timeout = .seconds(config.timeout)
    }

    /// The name of the server to which keys are bound. The same user name in another realm is another user.
    var name: String { "\(issuer.rawValue) \(realm)" }

    /// The path of the realm. A nested realm is a path: `root/realms/alpha`.
    private var realmPath: String {
        realm.split(separator: "/").map { FormText.escape(String($0)) }.joined(separator: "/")
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - path: The path below the realm, with escaped segments.
    ///   - version: The `Accept-API-Version`.
    ///   - session: The session token to send, if any.
    func send(
        _ method: String,
        _ path: String,
        version: String,
        body: JSONValue? = nil,
        session: String?
    ) async throws(JourneyError) -> Answer {
        guard let url = issuer.url(path: "/json/realms/\(realmPath)\(path)") else { throw .notConfigured }
        var headers = [
            "Accept-API-Version": version, "Content-Type": "application/json", "x-requested-with": "ping-sdk",
            "x-requested-platform": "ios",
        ]
        if !languages.isEmpty { headers["Accept-Language"] = languages.joined(separator: ", ") }
        if let session { headers[cookie] = session }
        let response: HTTPTransportResponse
        do {
            response = try await transport.send(
                HTTPTransportRequest(method: method, url: url, headers: headers, body: body?.bytes, timeout: timeout))
        } catch {
            throw .transport(error)
        }
        return try Self.read(response)
    }

    /// Reads an answer of the server: an object with 2xx, an object with 4xx that contains the same code, or an empty
    /// 204. Everything else is the answer of another party, such as a proxy.
    private static func read(_ response: HTTPTransportResponse) throws(JourneyError) -> Answer {
        // A proxy may send these statuses with its own content.
        guard response.status < 500, ![408, 429].contains(response.status) else {
            throw .serverFailed(status: response.status)
        }
        if response.status == 204, response.body.isEmpty { return Answer(status: 204, body: JSONObject()) }
        let value: JSONValue
        do {
            value = try JSONValue(parsing: response.body, limits: limits)
        } catch {
            throw .unintelligible(status: response.status)
        }
        guard let body = value.object else { throw .unintelligible(status: response.status) }
        switch response.status {
        case 200..<300: return Answer(status: response.status, body: body)
        case 400..<500 where body["code"]?.integer == response.status:
            return Answer(status: response.status, body: body)
        default: throw .unintelligible(status: response.status)
        }
    }

    /// Whether `text` is allowed in a header.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") }
    }
}
