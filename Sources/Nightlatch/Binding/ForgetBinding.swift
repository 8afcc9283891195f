/// Why a binding was not forgotten altogether. The same call may be made again, and the next bind or login goes on with it too.
public enum ForgetBindingError: Error, Hashable, Sendable {
    /// A key could not be removed. The binding holds no longer.
    case key(DeviceKeyError)
    /// The vault could not be used. The binding is whole, or it holds no longer and its keys may be gone.
    case vault(OpenVaultError)
}

extension OpenVault {
    /// Lets the binding with `tags` go, unless the vault's binding is another one or none: writes down that it is being let go,
    /// removes the keys, and forgets the rest. After a crash in between, whoever looks at the binding next goes on with
    /// ``finishLeaving(_:keys:)``.
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

    /// As ``forgetBinding(_:isRevoked:keys:)``, of a binding that still stands as `state` says, and of no other.
    func forgetBinding(ifStill state: BindingState, keys: any DeviceKeys) async throws(ForgetBindingError) {
        let hasLeft: Bool
        do {
            hasLeft = try await leaveBinding(ifStill: state)
        } catch {
            throw .vault(error)
        }
        if hasLeft { try await finishLeaving(state.keys, keys: keys) }
    }

    /// Removes the keys of a binding that is being let go, and then the last that the vault knows of it.
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
