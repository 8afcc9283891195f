import NightlatchWire

/// How far the binding of a vault's device has come. It is a secret of the vault, so no two parts of it can disagree.
enum BindingState: Codable, Hashable, Sendable {
    /// Keys are made, or about to be, and the relying party may or may not have accepted them. Asking again with the same
    /// code and keys finds out.
    case pending(BindingKeyTags)
    case bound(DeviceBinding)
}

extension OpenVault {
    /// The binding of this vault's device, or nil if it has none or its binding is still under way.
    public func deviceBinding() async throws(OpenVaultError) -> DeviceBinding? {
        guard case .bound(let binding) = try await bindingState() else { return nil }
        return binding
    }

    func bindingState() async throws(OpenVaultError) -> BindingState? {
        guard let secret = try await secret(named: .deviceBinding) else { return nil }
        do {
            return unsafe try secret.withUnsafeBytes { bytes throws(StrictJSONError) in
                unsafe try StrictJSON.decode(BindingState.self, from: bytes)
            }
        } catch {
            throw .record(.corrupt)
        }
    }

    func set(_ state: BindingState) async throws(OpenVaultError) {
        var bytes = StrictJSON.encode(state)
        try await set(SecretBytes(wiping: &bytes), named: .deviceBinding)
    }

    /// The application password of the device key; made and written down the first time.
    func deviceKeyPassword() async throws(OpenVaultError) -> SecretBytes {
        if let password = try await secret(named: .deviceKeyPassword) { return password }
        let password = SecretBytes.random(byteCount: 32)
        try await set(password, named: .deviceKeyPassword)
        return password
    }
}
