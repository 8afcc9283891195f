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

    /// Leaves what was signed for other nodes, in the place of what was signed before.
    mutating func leave(_ claims: JourneyClaims, as names: SignedClaims) {
        forgetClaims(names)
        for claim in claims.custom + claims.descriptions {
            if let text = claim.value.text {
                attributes[names.texts + claim.name] = text
            } else {
                attributes[names.others + claim.name] = claim.value.json
            }
        }
    }

    mutating func forgetClaims(_ names: SignedClaims) {
        attributes = attributes.filter { !$0.key.hasPrefix(names.texts) && !$0.key.hasPrefix(names.others) }
    }
}
