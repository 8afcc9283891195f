/// Why a binding was not forgotten altogether. The same call may be made again.
public enum ForgetBindingError: Error, Hashable, Sendable {
    /// A key could not be removed. The vault was not touched.
    case key(DeviceKeyError)
    /// The keys are gone, their secrets are not.
    case vault(OpenVaultError)
}

extension BindingKeyTags {
    /// Removes both keys and then what `vault` knows of the binding. The tags go last, so that a crash leaves them for the next
    /// try.
    func forget(keys: any DeviceKeys, vault: OpenVault) async throws(ForgetBindingError) {
        do {
            try await keys.remove(deviceKey)
            try await keys.remove(possessionKey)
        } catch {
            throw .key(error)
        }
        do {
            try await vault.remove([.deviceBinding, .deviceKeyPassword, .refreshToken])
        } catch {
            throw .vault(error)
        }
    }
}
