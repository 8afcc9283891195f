/// The keys that sign a relying party's access tokens, as it publishes them
/// ([RFC 7517, section 5](https://www.rfc-editor.org/rfc/rfc7517#section-5)).
public struct JWKSet: Codable, Hashable, Sendable {
    public let keys: [Entry]

    public init(keys: [PublicJWK]) {
        self.keys = keys.map(Entry.init)
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
