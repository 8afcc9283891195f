import NightlatchWire

/// How far the binding of a vault's device has come. It is a secret of the vault, so no two parts of it can disagree, and every
/// step from one state to the next is one write that looks at the state first.
///
/// Tags are new for every binding and the state never comes back to tags that it has left. So keys under tags that it does not
/// name, or that are ``leaving(_:)``, serve nobody any more and may be removed by anyone.
enum BindingState: Codable, Hashable, Sendable {
    /// Keys are made, or about to be, and the relying party may or may not have accepted them.
    case pending(PendingBinding)
    case bound(DeviceBinding)
    /// The binding is let go, and its keys are being removed. Whoever finds this state finishes that.
    case leaving(LeavingBinding)

    /// The keys that the state speaks of.
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
    /// Whether the relying party has revoked the keys, rather than the device given them up.
    let isRevoked: Bool

    private enum CodingKeys: String, CodingKey {
        case keys
        case isRevoked = "is_revoked"
    }
}

extension OpenVault {
    /// The binding of this vault's device, or nil if it has none, or one that is still under way or being let go.
    public func deviceBinding() async throws(OpenVaultError) -> DeviceBinding? {
        let state = try await change { secrets throws(OpenVaultError) in try secrets.bindingState() }
        guard case .bound(let binding) = state else { return nil }
        return binding
    }
}

extension VaultSecrets {
    func bindingState() throws(OpenVaultError) -> BindingState? {
        guard let secret = try secret(named: .deviceBinding) else { return nil }
        do {
            return unsafe try secret.withUnsafeBytes { bytes throws(StrictJSONError) in
                unsafe try StrictJSON.decode(BindingState.self, from: bytes)
            }
        } catch {
            throw .record(.corrupt)
        }
    }

    mutating func set(_ state: BindingState) {
        var bytes = StrictJSON.encode(state)
        set(SecretBytes(wiping: &bytes), named: .deviceBinding)
    }
}
