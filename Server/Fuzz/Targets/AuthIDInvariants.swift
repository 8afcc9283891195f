import Crypto
import Foundation
import NightlatchFuzzReference
import NightlatchRelyingParty
import NightlatchWire

/// Invariants of an opened `authId`.
///
/// - The server made it, for a journey in its file, and within this minute.
/// - Its state is strict JSON and is read as written.
///
/// An input that begins with a brace is a state. It is sealed here for the journey that it names, so that mutations get
/// past the seal. Any other input is used as the `authId`.
enum AuthIDInvariants {
    private static let now = NumericDate(secondsSince1970: FuzzedMessage.now)
    private static let signingKey = SymmetricKey(data: [UInt8](repeating: 1, count: 32))

    private static let sessions: AuthenticationSessions = {
        do {
            let file = #"{"realm": "alpha", "applicationIds": ["com.example.app"]}"#
            return AuthenticationSessions(
                signingKey: signingKey, sealingKey: SymmetricKey(data: [UInt8](repeating: 2, count: 32)),
                configuration: try JourneyConfiguration(Array(file.utf8)))
        } catch {
            preconditionFailure("no journeys: \(error)")
        }
    }()

    static func check(_ input: [UInt8]) throws(FuzzFinding) -> Bool {
        guard input.first == UInt8(ascii: "{") else { return try checkForeign(input) }
        let reference = JSONReference(input)
        let object = JSONObjectReference(input)
        let journey = object?.text("journey") ?? "login"
        guard let text = try? sessions.seal(Data(input), of: journey, until: now + .seconds(60), now: now) else {
            try require(!ReadyMadeJourneys.names.contains(journey), "a journey that there is was not sealed")
            return false
        }
        guard let (state, use) = try? sessions.open(text, now: now) else { return false }
        try require(
            reference.map { !$0.hasDuplicateNames && $0.depth <= JSONLimits.message.depth } == true,
            "a state against the reference")
        let members = try unwrap(object, "a state that is no object")
        try require(members.text("journey")?.utf8.elementsEqual(state.journey.utf8) == true, "another journey")
        try require(members.text("node")?.utf8.elementsEqual(state.node.utf8) == true, "another node")
        try require((members.text("user") ?? "") == (state.user?.rawValue ?? ""), "another user")
        try require(members.integer("expiresAt") == state.expiresAt.secondsSince1970, "another end")
        try require(state.expiresAt >= now && use.expiresAt == state.expiresAt, "a session that is over")
        try checkAgain(state, text)
        return true
    }

    /// Checks that the state is sealed and opened as the same one, and that it does not open with a changed byte or for
    /// another realm.
    private static func checkAgain(_ state: JourneyState, _ text: String) throws(FuzzFinding) {
        guard let again = try? sessions.seal(state, now: now) else {
            return try require(
                StrictJSON.encode(state).count > JourneyState.byteCountLimit, "a state that is not sealed")
        }
        let opened = try? sessions.open(again, now: now).state
        try require(opened == state, "sealed as another state")
        var bytes = Array(text.utf8)
        bytes[bytes.count / 2] ^= 1
        try require(
            (try? sessions.open(String(decoding: bytes, as: UTF8.self), now: now)) == nil, "opened though changed")
    }

    /// Checks an input that is not sealed here. It may be validly signed if the corpus was made so.
    private static func checkForeign(_ input: [UInt8]) throws(FuzzFinding) -> Bool {
        let text = String(decoding: input, as: UTF8.self)
        guard (try? sessions.open(text, now: now)) != nil else { return false }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try require(parts.count == 3, "not of three parts")
        let signature = try JWSInvariants.decode(parts[2])
        try require(
            HMAC<SHA256>.isValidAuthenticationCode(
                signature, authenticating: Data((parts[0] + "." + parts[1]).utf8), using: signingKey),
            "opened though nobody has signed it")
        return true
    }
}
