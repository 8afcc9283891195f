import NightlatchWire

extension JourneyState {
    /// The names of attributes that nodes store for other nodes.
    enum Attribute {
        static let signingFailure = "DeviceSigningVerifierNode.FAILURE"
        /// The protection of the key that signed last, as recorded when the key was bound.
        static let signingProtection = "DeviceSigningVerifierNode.AUTHENTICATION_TYPE"
        static let signed = SignedClaims(node: "DeviceSigningVerifierNode")
        static let bound = SignedClaims(node: "DeviceBindingNode")
    }

    /// The attribute names of a node's signed claims.
    ///
    /// Claims that are strings have other names than the rest, so that the string `1` is not confused with the number.
    struct SignedClaims: Hashable, Sendable {
        let node: String

        /// The prefix of all names that only the node may write.
        var reserved: String { node + "." }
        /// The prefix for a claim that is a string, which is stored unchanged.
        var texts: String { reserved + "CLAIMS." }
        /// The prefix for any other claim, which is stored as JSON.
        var others: String { reserved + "JSON_CLAIMS." }
    }

    /// The value of an attribute that a node stored, or of a signed claim.
    func attribute(_ name: String) -> String? {
        if let claim = Self.claim(name, of: Attribute.signed, in: [signed?.claims, signedDescriptions]) {
            return claim
        }
        let bound = [boundClaims ?? pendingBinding?.claims, boundDescriptions]
        return Self.claim(name, of: Attribute.bound, in: bound) ?? attributes[name]
    }

    /// Stores a binding's signed claims for other nodes, and its key for a storage node if `isPostponed`.
    mutating func leave(_ binding: JourneyBinding, _ claims: JourneyClaims, isPostponed: Bool) {
        if isPostponed { pendingBinding = binding }
        boundClaims = isPostponed ? nil : binding.claims ?? Self.noClaims
        boundDescriptions = claims.descriptionsText
    }

    /// Removes the pending binding after it was carried out. Its claims stay.
    mutating func forgetPendingBinding() {
        boundClaims = boundClaims ?? pendingBinding?.claims ?? Self.noClaims
        pendingBinding = nil
    }

    private static let noClaims = "{}"

    /// The claim that an attribute's name refers to.
    private static func claim(_ name: String, of names: SignedClaims, in objects: [String?]) -> String? {
        let isText: Bool
        let claim: String
        if let text = name.rest(after: names.texts) {
            (isText, claim) = (true, text)
        } else if let other = name.rest(after: names.others) {
            (isText, claim) = (false, other)
        } else {
            return nil
        }
        for object in objects.compactMap(\.self) {
            // The state was written by this server, so it is valid JSON.
            guard let members = try? StrictJSON.decode(JSONValue.self, from: Array(object.utf8)).object?.members,
                let value = members.first(where: { $0.name.isExactly(claim) })?.value
            else { continue }
            switch value {
            case .string(let text): return isText ? text : nil
            default: return isText ? nil : value.json
            }
        }
        return nil
    }
}
