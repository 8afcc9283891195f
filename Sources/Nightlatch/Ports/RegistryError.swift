/// An error that occurs while reading or writing a registry: a record of what exists on this device.
///
/// An error never means that nothing is registered. After an error the registry is unchanged. The exception is a store
/// that failed while it wrote: it has either the complete old registry or the complete new one.
public struct RegistryError: Error, Hashable, Sendable {
    /// The registry that could not be used.
    public let registry: Kind
    public let code: Code
    let store: StoreError?

    /// The ``StoreError``, if the store has failed.
    public var cause: (any AdvisedError)? { store }

    /// A registry.
    public enum Kind: Hashable, Sendable {
        /// The profiles; see ``Profiles``.
        case profiles
        /// The users' keys. The keys themselves are not affected by an error.
        case userKeys
        /// The record of biometric login. If it is damaged, ``BiometricLogin/forget()`` removes it.
        case biometricLogin
    }

    public enum Code: Hashable, Sendable {
        /// There is no such profile, or it is being deregistered. Register it again.
        case notRegistered
        /// The store cannot be used now. Try again later.
        case unavailable
        /// Another caller has changed the registry at the same time. Try again.
        case conflict
        /// There is no space. Make room and try again.
        case full
        /// The system does not allow the operation.
        case refused
        /// The registry is damaged. Trying again does not help. The vaults and keys are not affected.
        case corrupt
        /// A newer version of the app wrote the registry. Update the app; the registry is untouched. The formats are
        /// nil if the store has found this.
        case newerFormat(found: Int?, newestKnown: Int?)
    }

    package init(_ registry: Kind, _ code: Code) {
        self.registry = registry
        self.code = code
        store = nil
    }

    package init(_ registry: Kind, _ error: StoreError) {
        self.registry = registry
        code =
            switch error.code {
            case .conflict: .conflict
            case .unavailable: .unavailable
            case .full: .full
            case .refused: .refused
            case .corrupt: .corrupt
            case .newerFormat: .newerFormat(found: nil, newestKnown: nil)
            }
        store = error
    }

    init(_ registry: Kind, fault: RecordFault) {
        switch fault {
        case .corrupt: self.init(registry, .corrupt)
        case .newerFormat(let found, let newest): self.init(registry, .newerFormat(found: found, newestKnown: newest))
        case .store(let error): self.init(registry, error)
        }
    }

    /// There is no such profile.
    public static let notRegistered = RegistryError(.profiles, .notRegistered)
}

extension RegistryError {
    /// Lets `catch` name an error: `catch RegistryError.notRegistered`.
    public static func ~= (pattern: RegistryError, error: any Error) -> Bool { error as? RegistryError == pattern }
}

extension RegistryError: CustomStringConvertible {
    public var description: String {
        if let store { return store.description }
        let name =
            switch registry {
            case .profiles: "the registry of profiles"
            case .userKeys: "the list of keys"
            case .biometricLogin: "the record of biometric login"
            }
        return switch code {
        case .notRegistered: "there is no such profile"
        case .corrupt: "\(name) is damaged"
        case .newerFormat(let found?, let newest?):
            "\(name) was written by a newer version (format \(found); this version knows \(newest)): update the app"
        case .unavailable, .conflict, .full, .refused, .newerFormat: "\(name): \(code)"
        }
    }
}
