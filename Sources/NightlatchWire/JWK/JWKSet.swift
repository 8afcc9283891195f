/// The published keys that sign a relying party's access tokens
/// ([RFC 7517, section 5](https://www.rfc-editor.org/rfc/rfc7517#section-5)).
///
/// When a set is read, keys of unknown kinds, unreadable keys and keys with private members are ignored, as the RFC
/// advises. Signatures by these keys do not verify. The other keys remain usable.
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

    /// An element of the array of keys, which may be unusable.
    private struct Candidate: Decodable {
        /// The key, or nil if it is unusable.
        let entry: Entry?

        init(from decoder: any Decoder) {
            do {
                entry = try Entry(from: decoder)
            } catch {
                entry = nil
            }
        }
    }

    /// A signing key with its name and its use.
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
            // An RSA key may sign with several algorithms.
            if key.algorithms.count == 1 { try container.encode(key.algorithms.first, forKey: .alg) }
        }

        private enum CodingKeys: CodingKey { case kid, use, alg }
    }
}
