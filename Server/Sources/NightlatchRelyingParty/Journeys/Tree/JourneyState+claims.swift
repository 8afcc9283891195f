import NightlatchWire

extension JourneyState {
    /// Under these names nodes leave what other nodes may read.
    enum Attribute {
        static let signingFailure = "DeviceSigningVerifierNode.FAILURE"
        /// As what the key was bound that signed last.
        static let signingProtection = "DeviceSigningVerifierNode.AUTHENTICATION_TYPE"
        static let signed = SignedClaims(node: "DeviceSigningVerifierNode")
        static let bound = SignedClaims(node: "DeviceBindingNode")
    }

    /// The names of the claims that a node has had signed. Texts have other names than all else, so that the text `1` is not taken for the
    /// number.
    struct SignedClaims: Hashable, Sendable {
        let node: String

        /// What every name begins with that only the node may write.
        var reserved: String { node + "." }
        /// Before the name of a claim that is a text, which is left as it is.
        var texts: String { reserved + "CLAIMS." }
        /// Before the name of any other claim, which is left as JSON.
        var others: String { reserved + "JSON_CLAIMS." }
    }

    /// What is left under a name: by a node, or among the claims that were signed.
    func attribute(_ name: String) -> String? {
        if let claim = Self.claim(name, of: Attribute.signed, in: [signed?.claims, signedDescriptions]) {
            return claim
        }
        let bound = [boundClaims ?? pendingBinding?.claims, boundDescriptions]
        return Self.claim(name, of: Attribute.bound, in: bound) ?? attributes[name]
    }

    /// Leaves what a binding had signed for other nodes, and its key for a storage node if `isPostponed`.
    mutating func leave(_ binding: JourneyBinding, _ claims: JourneyClaims, isPostponed: Bool) {
        if isPostponed { pendingBinding = binding }
        boundClaims = isPostponed ? nil : binding.claims ?? Self.noClaims
        boundDescriptions = claims.descriptionsText
    }

    /// The pending binding was done. Its claims stay.
    mutating func forgetPendingBinding() {
        boundClaims = boundClaims ?? pendingBinding?.claims ?? Self.noClaims
        pendingBinding = nil
    }

    private static let noClaims = "{}"

    /// A claim by its attribute's name.
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
            // It was written here.
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
