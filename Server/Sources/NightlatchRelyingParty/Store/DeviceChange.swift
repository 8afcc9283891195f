public import NightlatchWire

/// What a user or an operator may change about a device.
public enum DeviceChange: Hashable, Sendable {
    case rename(DeviceName)
    /// Bars it until that is undone, and revokes its refresh tokens. An operator's block takes the place of a user's.
    case block
    /// Lets it log in again. What an operator has blocked only an operator unblocks.
    case unblock
    /// Bars it for good, and revokes its refresh tokens.
    case revoke
}

extension RegisteredDevice {
    /// Makes `change`. Every store asks this one rule, in the transaction that records.
    ///
    /// - Returns: What the audit log is told; nil if nothing changed, because it was so already or because the rule does not allow it.
    package mutating func apply(
        _ change: DeviceChange,
        by actor: ActingParty,
        at now: NumericDate
    ) -> AuditEvent.Kind? {
        switch change {
        case .rename(let name):
            // Byte by byte: equal texts of Swift may be written in different ways.
            guard !name.rawValue.utf8.elementsEqual(self.name.rawValue.utf8) else { return nil }
            self.name = name
            return .deviceRenamed
        case .block:
            guard revokedAt == nil, block == nil || actor == .operator && block?.actor != .operator else { return nil }
            block = DeviceBlock(at: now, by: actor)
            return .deviceBlocked
        case .unblock:
            guard revokedAt == nil, let block, actor == .operator || block.actor != .operator else { return nil }
            self.block = nil
            return .deviceUnblocked
        case .revoke:
            guard revokedAt == nil else { return nil }
            revokedAt = now
            return .deviceRevoked
        }
    }
}

extension RegisteredDevice {
    /// Bars the device for good, in favour of another one of its user.
    package mutating func replace(by successor: DeviceID, at now: NumericDate) {
        revokedAt = now
        replacedBy = successor
    }
}
