public import Foundation
import NightlatchWire

/// The journeys that a relying party serves, and the settings of their responses.
///
/// ```json
/// {
///   "realm": "alpha",
///   "applicationIds": ["com.example.app"],
///   "readyMade": ["login", "bind", "sign"],
///   "journeys": { "transfer": { "start": "…", "nodes": { "…": { "type": "…", "outcomes": { } } } } }
/// }
/// ```
///
/// `docs/journeys.md` documents every member, and every setting of every node.
public struct JourneyConfiguration: Hashable, Sendable {
    /// The largest size of a file, in bytes.
    public static let byteCountLimit = 256 * 1024

    /// The largest length of a journey's name, in bytes.
    private static let nameByteCountLimit = 256

    package let realm: JourneyRealm
    /// The path prefix before `/json`, such as `/am`; requests without a prefix are always accepted.
    package let contextPath: String?
    /// The name of the header and cookie that carry the session token.
    package let cookieName: String
    let successURL: String
    package let sessionLife: Duration
    let defaultJourney: String
    package let journeys: [String: JourneyTree]

    private static let memberNames: Set<String> = [
        "realm", "contextPath", "cookieName", "successUrl", "sessionMinutes", "applicationIds", "readyMade",
        "defaultJourney", "journeys",
    ]

    /// Parses and checks a whole file, so that every served journey can reach an end.
    ///
    /// - Throws: ``JourneyFileError``; no part of the file is used.
    public init(_ bytes: some DataProtocol) throws(JourneyFileError) {
        let file = try JourneyFileObject(Self.json(bytes), at: "", allowing: Self.memberNames)
        let realmName = try file.text("realm") ?? "root"
        guard let realm = JourneyRealm(realmName) else {
            throw JourneyFileError(.notA("a name of letters, digits and . _ -"), at: "realm")
        }
        self.realm = realm
        contextPath = try Self.contextPath(in: file)
        cookieName = try Self.cookieName(in: file)
        successURL = try file.text("successUrl") ?? "/enduser/?realm=\(realm.path)"
        sessionLife = .seconds(60 * (try file.integer("sessionMinutes", in: 1...1440, default: 120)))
        let applications = Set(try file.texts("applicationIds") ?? [])
        var journeys: [String: JourneyTree] = [:]
        for name in try file.texts("readyMade") ?? ReadyMadeJourneys.names {
            guard let journey = try ReadyMadeJourneys.journey(name, applications: applications) else {
                throw JourneyFileError(.noReadyMadeJourney(name), at: "readyMade")
            }
            journeys[name] = journey
        }
        if let value = file.value("journeys") {
            let own = try JourneyFileObject(value, at: "journeys")
            for name in own.names {
                guard name.utf8.count <= Self.nameByteCountLimit else {
                    throw JourneyFileError(
                        .notA("a name of at most \(Self.nameByteCountLimit) bytes"), at: own.path(name))
                }
                let reader = JourneyReader(applications: applications)
                journeys[name] = try reader.journey(name, own.value(name) ?? .null, at: own.path(name))
            }
        }
        defaultJourney = try file.text("defaultJourney") ?? "login"
        guard file.value("defaultJourney") == nil || journeys[defaultJourney] != nil else {
            throw JourneyFileError(.notA("the name of a journey"), at: "defaultJourney")
        }
        self.journeys = journeys
    }

    /// The journey that a client names; nil if there is none.
    ///
    /// Long names are refused first, because hashing a name can take time proportional to the square of its length.
    func journey(_ name: String) -> JourneyTree? {
        name.utf8.count <= Self.nameByteCountLimit ? journeys[name] : nil
    }

    static func json(_ bytes: some DataProtocol) throws(JourneyFileError) -> JSONValue {
        do {
            return try StrictJSON.decode(
                JSONValue.self, from: bytes,
                limits: JSONLimits(byteCount: byteCountLimit, depth: 12, normalizedNameByteCount: byteCountLimit))
        } catch {
            throw JourneyFileError(.notJSON(error), at: "")
        }
    }

    private static func contextPath(in file: JourneyFileObject) throws(JourneyFileError) -> String? {
        guard let path = try file.text("contextPath") else { return nil }
        let name = path.dropFirst()
        guard path.hasPrefix("/"), JourneyRealm(String(name)) != nil else {
            throw JourneyFileError(.notA("one part of a path, such as “/am”"), at: "contextPath")
        }
        return path
    }

    private static func cookieName(in file: JourneyFileObject) throws(JourneyFileError) -> String {
        let name = try file.text("cookieName") ?? "iPlanetDirectoryPro"
        guard JourneyRealm(name) != nil else {
            throw JourneyFileError(.notA("the name of a header"), at: "cookieName")
        }
        return name
    }
}
