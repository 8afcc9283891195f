import Crypto
import Foundation
import NightlatchWire

/// Parses the journeys of a file, and checks that each can be walked.
struct JourneyReader {
    /// The apps that may use nodes without `applicationIds`.
    let applications: Set<String>

    func journey(_ name: String, _ value: JSONValue, at place: String) throws(JourneyFileError) -> JourneyTree {
        let object = try JourneyFileObject(value, at: place, allowing: ["start", "nodes", "alwaysWalked"])
        guard let nodesValue = object.value("nodes") else { throw JourneyFileError(.missing("nodes"), at: place) }
        let nodes = try JourneyFileObject(nodesValue, at: object.path("nodes"))
        var places: [String: JourneyTree.Place] = [:]
        for node in nodes.names {
            guard ![JourneyTree.success, JourneyTree.failure].contains(node) else {
                throw JourneyFileError(
                    .notA("another name: “success” and “failure” are reserved"), at: nodes.path(node))
            }
            places[node] = try self.place(nodes.value(node) ?? .null, at: nodes.path(node), among: nodes.names)
        }
        let start = try object.requiredText("start")
        guard places[start] != nil else { throw JourneyFileError(.noSuchNode(start), at: object.path("start")) }
        try JourneyAttributes(places).check(at: nodes)
        // By default, a journey that asks for a signed text is always walked: an earlier session does not prove that
        // the user signed the text now.
        let signsTexts = places.values.contains { $0.node.signedAttribute != nil }
        return JourneyTree(
            name: name, start: start, isAlwaysWalked: try object.bool("alwaysWalked", default: signsTexts),
            nodes: places, fingerprint: fingerprint(of: name, value))
    }

    private func fingerprint(of name: String, _ value: JSONValue) -> [UInt8] {
        let all: [JSONValue] = [.string(name), .array(applications.sorted().map(JSONValue.string)), value]
        return Array(SHA256.hash(data: JSONValue.array(all).bytes))
    }

    /// Parses a node and the targets of its outcomes.
    ///
    /// Each outcome must have a target that exists, and the file must name no other outcome.
    private func place(
        _ value: JSONValue,
        at path: String,
        among names: [String]
    ) throws(JourneyFileError) -> JourneyTree.Place {
        let node = try NodeReader(applications: applications).node(value, at: path, extra: ["outcomes"])
        let object = try JourneyFileObject(value, at: path)
        guard let wiring = object.value("outcomes") else { throw JourneyFileError(.missing("outcomes"), at: path) }
        let outcomes = try JourneyFileObject(wiring, at: object.path("outcomes"))
        var targets: [String: String] = [:]
        for outcome in outcomes.names {
            guard node.behaviour.outcomes.contains(outcome) else {
                throw JourneyFileError(.unknownOutcome(outcome), at: path)
            }
            let target = try outcomes.requiredText(outcome)
            guard names.contains(target) || [JourneyTree.success, JourneyTree.failure].contains(target) else {
                throw JourneyFileError(.noSuchNode(target), at: outcomes.path(outcome))
            }
            targets[outcome] = target
        }
        if let missing = node.behaviour.outcomes.first(where: { targets[$0] == nil }) {
            throw JourneyFileError(.outcomeLeadsNowhere(missing), at: path)
        }
        return JourneyTree.Place(node: node, targets: targets)
    }
}
