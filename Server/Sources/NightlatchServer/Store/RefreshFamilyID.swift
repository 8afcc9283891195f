public import NightlatchWire

/// The name of the refresh tokens that came of one login: the time it began, down to a part of a second (six bytes), and 10 random
/// bytes. Each token begins with it. By it a store finds the family of a token that was replaced long ago, without remembering that token.
public struct RefreshFamilyID: Hashable, Sendable {
    /// How long it is.
    public static let byteCount = 16

    public let bytes: [UInt8]

    /// Returns nil for another number of bytes.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    private init(random bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The family of a session.
    public init(_ session: SessionID) {
        bytes = session.bytes
    }

    /// The name as access tokens tell it.
    public var session: SessionID {
        guard let session = SessionID(bytes: bytes) else { preconditionFailure("both have 16 bytes") }
        return session
    }

    /// A new name, of a login at `time`.
    public static func random(at time: NumericDate) -> Self {
        Self(random: RandomBytes.make(count: byteCount, at: time))
    }
}
