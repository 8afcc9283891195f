public import NightlatchWire

/// The id of the refresh tokens of one login: the first six bytes of the device's id, and 10 random bytes.
///
/// Each token begins with it. A store can therefore find the family of a token that was replaced long ago, without
/// storing that token. It may also store families together with their devices.
public struct RefreshFamilyID: Hashable, Sendable {
    /// The length in bytes.
    public static let byteCount = 16
    /// The length of a device id in hexadecimal digits.
    private static let deviceDigitCount = 32
    /// The number of leading hexadecimal digits of the device id that are part of the family id.
    private static let devicePartDigitCount = 12

    public let bytes: [UInt8]

    /// Returns nil for another number of bytes.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// The id of the family of the login that `session` names.
    public init(_ session: SessionID) {
        bytes = session.bytes
    }

    /// The id in the form that access tokens carry.
    public var session: SessionID {
        guard let session = SessionID(bytes: bytes) else { preconditionFailure("both have 16 bytes") }
        return session
    }

    /// A new id for a login of `device`.
    public static func random(of device: DeviceID) -> Self {
        Self(unchecked: devicePart(of: device) + RandomBytes.make(count: byteCount - devicePartDigitCount / 2))
    }

    private init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether the id begins with the part that is derived from `device`.
    func isNamed(after device: DeviceID) -> Bool { bytes.starts(with: Self.devicePart(of: device)) }

    private static func devicePart(of device: DeviceID) -> [UInt8] {
        guard let number = UInt64(device.rawValue.prefix(devicePartDigitCount), radix: 16) else {
            preconditionFailure("the id of a device is hexadecimal")
        }
        return stride(from: devicePartDigitCount * 4 - 8, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: number >> $0)
        }
    }

    /// The range of device ids, as text, that contains the id of the family's device.
    ///
    /// It practically never contains the id of another device.
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
