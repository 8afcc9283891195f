public import NightlatchWire

/// The name of the refresh tokens that came of one login: the first six bytes of its device's, and 10 random bytes. Each token begins
/// with it. By it a store finds the family of a token that was replaced long ago, without remembering that token, and may keep families
/// where it keeps their devices.
public struct RefreshFamilyID: Hashable, Sendable {
    /// How long it is.
    public static let byteCount = 16
    /// How long the id of a device is.
    private static let deviceDigitCount = 32
    /// How much of its device's name it begins with.
    private static let devicePartDigitCount = 12

    public let bytes: [UInt8]

    /// Returns nil for another number of bytes.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
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

    /// A new name, of a login of `device`.
    public static func random(of device: DeviceID) -> Self {
        Self(unchecked: devicePart(of: device) + RandomBytes.make(count: byteCount - devicePartDigitCount / 2))
    }

    private init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether it is of a login of `device`, as far as its name tells.
    func isNamed(after device: DeviceID) -> Bool { bytes.starts(with: Self.devicePart(of: device)) }

    private static func devicePart(of device: DeviceID) -> [UInt8] {
        guard let number = UInt64(device.rawValue.prefix(devicePartDigitCount), radix: 16) else {
            preconditionFailure("the id of a device is hexadecimal")
        }
        return stride(from: devicePartDigitCount * 4 - 8, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: number >> $0)
        }
    }

    /// Between which ids, as texts, that of the family's device lies. As good as never is there another one between them.
    package var deviceIDs: (first: String, last: String) {
        let devicePart = bytes.prefix(Self.devicePartDigitCount / 2).map { byte in
            (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        let restCount = Self.deviceDigitCount - Self.devicePartDigitCount
        return (
            devicePart + String(repeating: "0", count: restCount), devicePart + String(repeating: "f", count: restCount)
        )
    }
}
