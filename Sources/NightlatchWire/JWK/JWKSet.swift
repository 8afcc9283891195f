/// The keys that sign a relying party's access tokens, as it publishes them
/// ([RFC 7517, section 5](https://www.rfc-editor.org/rfc/rfc7517#section-5)).
///
/// A key that cannot be read, of a kind that this version does not know or with private members, is left out when a set is
/// read, as the RFC advises: nothing that it signed verifies, and the other keys serve on.
public struct JWKSet: Codable, Hashable, Sendable {
    public let keys: [Entry]

    public init(keys: [PublicJWK]) {
        self.keys = keys.map(Entry.init)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        keys = try container.decode([Candidate].self, forKey: .keys).compactMap(\.entry)
    }

    private enum CodingKeys: CodingKey { case keys }

    /// What stands in a key's place.
    private struct Candidate: Decodable {
        /// Nil for what is no key that can be used.
        let entry: Entry?

        init(from decoder: any Decoder) {
            do {
                entry = try Entry(from: decoder)
            } catch {
                entry = nil
            }
        }
    }

    /// One signing key with its name and its use.
    public struct Entry: Codable, Hashable, Sendable {
        public let key: PublicJWK

        init(key: PublicJWK) {
            self.key = key
        }

        public init(from decoder: any Decoder) throws {
            key = try PublicJWK(from: decoder)
        }

        public func encode(to encoder: any Encoder) throws {
            try key.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(key.thumbprint, forKey: .kid)
            try container.encode("sig", forKey: .use)
            // An RSA key may sign with several.
            if key.algorithms.count == 1 { try container.encode(key.algorithms.first, forKey: .alg) }
        }

        private enum CodingKeys: CodingKey { case kid, use, alg }
    }
}
