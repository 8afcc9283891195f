import NightlatchWire

extension OpenVault {
    /// Removes the refresh token of `binding` from the vault and returns it, so that only the caller has it.
    ///
    /// - Returns: Nil if the vault has no refresh token, or if its binding is no longer `binding`.
    func takeRefreshToken(of binding: DeviceBinding) async throws(VaultError) -> RefreshToken? {
        try await change { secrets throws(VaultError) in
            guard try secrets.bindingState() == .bound(binding),
                let secret = try secrets.secret(named: .refreshToken)
            else { return nil }
            secrets.remove(.refreshToken)
            return unsafe secret.withUnsafeBytes {
                unsafe RefreshToken(rawValue: String(decoding: $0, as: UTF8.self))
            }
        }
    }

    /// Puts a refresh token of `binding` into the vault.
    ///
    /// A device has one login, and a new login ends the earlier ones. So the token of a new login replaces a token that
    /// the vault has. A token that was taken from the vault, or its successor, does not replace a token in the vault,
    /// because the token in the vault is from a later login.
    ///
    /// - Parameters:
    ///   - token: The token to store.
    ///   - binding: The binding that the token belongs to.
    ///   - isOfNewLogin: True if the token is from a new login; false if it was taken from the vault or replaces one
    ///     that was.
    /// - Returns: Whether the vault's binding is still `binding`. If not, the token is useless, and the vault is not
    ///   changed.
    func keepRefreshToken(
        _ token: RefreshToken,
        of binding: DeviceBinding,
        isOfNewLogin: Bool
    ) async throws(VaultError) -> Bool {
        try await change { secrets throws(VaultError) in
            guard try secrets.bindingState() == .bound(binding) else { return false }
            if !isOfNewLogin, try secrets.secret(named: .refreshToken) != nil { return true }
            secrets.set(SecretBytes(copying: Array(token.rawValue.utf8)), named: .refreshToken)
            return true
        }
    }
}
