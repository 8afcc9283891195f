/// An error that occurs while forgetting a binding. Repeat the same call; the next bind or login also finishes the
/// removal.
public enum ForgetBindingError: Error, Hashable, Sendable {
    /// A key could not be removed. The binding is no longer valid.
    case key(DeviceKeyError)
    /// The vault could not be used. The binding is unchanged, or it is no longer valid and its keys may be gone.
    case vault(VaultError)
}

extension OpenVault {
    /// Removes the binding with `tags`, unless the vault has another binding or none.
    ///
    /// This first stores that the binding is being removed. It then removes the keys, and last the rest of the binding.
    /// After a crash in between, the next call that reads the binding finishes with ``finishLeaving(_:keys:)``.
    func forgetBinding(
        _ tags: BindingKeyTags,
        isRevoked: Bool,
        keys: any DeviceKeys
    ) async throws(ForgetBindingError) {
        let hasLeft: Bool
        do {
            hasLeft = try await leaveBinding(tags, isRevoked: isRevoked)
        } catch {
            throw .vault(error)
        }
        if hasLeft { try await finishLeaving(tags, keys: keys) }
    }

    /// Removes the binding, as ``forgetBinding(_:isRevoked:keys:)``, but only if it still equals `state`.
    func forgetBinding(ifStill state: BindingState, keys: any DeviceKeys) async throws(ForgetBindingError) {
        let hasLeft: Bool
        do {
            hasLeft = try await leaveBinding(ifStill: state)
        } catch {
            throw .vault(error)
        }
        if hasLeft { try await finishLeaving(state.keys, keys: keys) }
    }

    /// Removes the keys of a binding that is being removed, and then the vault's last record of it.
    func finishLeaving(_ tags: BindingKeyTags, keys: any DeviceKeys) async throws(ForgetBindingError) {
        do {
            try await keys.remove(tags)
        } catch {
            throw .key(error)
        }
        do {
            try await endBinding(tags)
        } catch {
            throw .vault(error)
        }
    }
}
