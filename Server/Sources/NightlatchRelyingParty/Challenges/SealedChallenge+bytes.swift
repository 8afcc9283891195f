import NightlatchWire

/// The plaintext of a handle: one byte for the purpose, eight for the expiry, the challenge, and the parts of the
/// purpose.
///
/// Two bytes before each part contain its length. A missing part is empty.
extension SealedChallenge {
    private enum Kind: UInt8 {
        case binding = 1
        case login
        case decision
        case remoteLogin
    }

    private static let timeByteCount = 8

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        bytes.append(kind.rawValue)
        for shift in stride(from: 8 * (Self.timeByteCount - 1), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: expiresAt.secondsSince1970 >> shift))
        }
        bytes += challenge.bytes
        func add(_ part: some Collection<UInt8>) {
            // Two bytes can express the length of every identifier.
            bytes.append(UInt8(truncatingIfNeeded: part.count >> 8))
            bytes.append(UInt8(truncatingIfNeeded: part.count))
            bytes += part
        }
        switch purpose {
        case .binding(let user, let deviceKey, let enrolmentCode):
            add(user.rawValue.utf8)
            add(deviceKey.rawValue.utf8)
            add(enrolmentCode.bytes)
        case .login(let user, let device):
            add(user.rawValue.utf8)
            add((device?.rawValue ?? "").utf8)
        case .decision(let user, let device, let transaction):
            add(user.rawValue.utf8)
            add(device.rawValue.utf8)
            add(transaction.rawValue.utf8)
        case .remoteLogin(let user, let device, let login):
            add(user.rawValue.utf8)
            add(device.rawValue.utf8)
            add(login.rawValue.utf8)
        }
        return bytes
    }

    private var kind: Kind {
        switch purpose {
        case .binding: .binding
        case .login: .login
        case .decision: .decision
        case .remoteLogin: .remoteLogin
        }
    }

    /// Returns nil for anything that ``bytes`` does not produce.
    package init?(_ bytes: [UInt8]) {
        let partsStart = 1 + Self.timeByteCount + ChallengeRule.byteCount
        guard bytes.count > partsStart, let kind = Kind(rawValue: bytes[0]),
            let challenge = Challenge(bytes: Array(bytes[(1 + Self.timeByteCount)..<partsStart])),
            let parts = Self.parts(bytes[partsStart...])
        else { return nil }
        func identifier<Rule>(_ index: Int) -> Identifier<Rule>? {
            Identifier(rawValue: String(decoding: parts[index], as: UTF8.self))
        }
        switch (kind, parts.count) {
        case (.binding, 3):
            guard let user: UserID = identifier(0), let deviceKey: KeyID = identifier(1) else { return nil }
            purpose = .binding(user: user, deviceKey: deviceKey, enrolmentCode: EnrolmentCodeMAC(parts[2]))
        case (.login, 2):
            let device: DeviceID? = identifier(1)
            guard let user: UserID = identifier(0), device != nil || parts[1].isEmpty else { return nil }
            purpose = .login(user: user, device: device)
        case (.decision, 3):
            guard let user: UserID = identifier(0), let device: DeviceID = identifier(1),
                let transaction: TransactionID = identifier(2)
            else { return nil }
            purpose = .decision(user: user, device: device, transaction: transaction)
        case (.remoteLogin, 3):
            guard let user: UserID = identifier(0), let device: DeviceID = identifier(1),
                let login: RemoteLoginID = identifier(2)
            else { return nil }
            purpose = .remoteLogin(user: user, device: device, login: login)
        default: return nil
        }
        self.challenge = challenge
        expiresAt = NumericDate(
            secondsSince1970: bytes[1...Self.timeByteCount].reduce(0) { $0 << 8 | Int($1) })
    }

    private static func parts(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
        var (rest, parts) = (bytes, [ArraySlice<UInt8>]())
        while let high = rest.popFirst() {
            guard let low = rest.popFirst() else { return nil }
            let count = Int(high) << 8 | Int(low)
            guard rest.count >= count else { return nil }
            parts.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return parts
    }
}
