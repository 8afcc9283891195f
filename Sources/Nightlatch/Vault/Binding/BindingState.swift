import NightlatchWire

/// The progress of binding the vault's device to a relying party.
///
/// The state is one secret of the vault, so its parts always agree. Each step to the next state is one write, which
/// checks the current state first.
///
/// Each binding has new tags, and no tag is ever used again. So keys under a tag that the state does not name, or names
/// as ``leaving(_:)``, are unused, and any process may remove them.
enum BindingState: Codable, Hashable, Sendable {
    /// The keys exist or are about to be created. The relying party may or may not have accepted them.
    case pending(PendingBinding)
    case bound(DeviceBinding)
    /// The binding has ended and its keys are being removed. A process that finds this state finishes the removal.
    case leaving(LeavingBinding)

    /// The keys that the state names.
    var keys: BindingKeyTags {
        switch self {
        case .pending(let pending): pending.keys
        case .bound(let binding): binding.keys
        case .leaving(let leaving): leaving.keys
        }
    }
}

/// A binding whose keys are being removed.
struct LeavingBinding: Codable, Hashable, Sendable {
    let keys: BindingKeyTags
    /// True if the relying party has revoked the keys; false if the device gave them up.
    let isRevoked: Bool

    private enum CodingKeys: String, CodingKey {
        case keys
        case isRevoked = "is_revoked"
    }
}

extension OpenVault {
    /// Returns the binding of this vault's device, or nil if there is none, or if it is still pending or being removed.
    public func deviceBinding() async throws(VaultError) -> DeviceBinding? {
        let state = try await change { secrets throws(VaultError) in try secrets.bindingState() }
        guard case .bound(let binding) = state else { return nil }
        return binding
    }
}

extension VaultSecrets {
    func bindingState() throws(VaultError) -> BindingState? {
        guard let secret = try secret(named: .deviceBinding) else { return nil }
        do {
            return unsafe try secret.withUnsafeBytes { bytes throws(StrictJSONError) in
                unsafe try StrictJSON.decode(BindingState.self, from: bytes)
            }
        } catch {
            throw .corrupt
        }
    }

    mutating func set(_ state: BindingState) {
        var bytes = StrictJSON.encode(state)
        set(SecretBytes(wiping: &bytes), named: .deviceBinding)
    }
}
