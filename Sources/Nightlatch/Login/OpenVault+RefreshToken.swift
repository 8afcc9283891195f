import NightlatchWire

extension OpenVault {
    /// Takes the refresh token of `binding` out of the vault, so that whoever has it is the only one.
    ///
    /// - Returns: Nil if there is none, or if the vault's binding is another one by now.
    func takeRefreshToken(of binding: DeviceBinding) async throws(OpenVaultError) -> RefreshToken? {
        try await change { secrets throws(OpenVaultError) in
            guard try secrets.bindingState() == .bound(binding),
                let secret = try secrets.secret(named: .refreshToken)
            else { return nil }
            secrets.remove(.refreshToken)
            return unsafe secret.withUnsafeBytes {
                unsafe RefreshToken(rawValue: String(decoding: $0, as: UTF8.self))
            }
        }
    }

    /// Puts a refresh token of `binding` into the vault. A device has one login, and the newest has ended the others: so that of a new login
    /// takes the place of one that may be there, and one that was taken, or has followed on it, does not: what came into its place meanwhile
    /// is a later login's.
    ///
    /// - Parameters:
    ///   - token: What to put there.
    ///   - binding: Whose it is.
    ///   - isOfNewLogin: Whether it came of a login, and not of a token that was taken.
    /// - Returns: Whether the vault's binding is still that one. Of another the token would be worth nothing, and the vault is
    ///   not changed.
    func keepRefreshToken(
        _ token: RefreshToken,
        of binding: DeviceBinding,
        isOfNewLogin: Bool
    ) async throws(OpenVaultError) -> Bool {
        try await change { secrets throws(OpenVaultError) in
            guard try secrets.bindingState() == .bound(binding) else { return false }
            if !isOfNewLogin, try secrets.secret(named: .refreshToken) != nil { return true }
            secrets.set(SecretBytes(copying: Array(token.rawValue.utf8)), named: .refreshToken)
            return true
        }
    }
}
