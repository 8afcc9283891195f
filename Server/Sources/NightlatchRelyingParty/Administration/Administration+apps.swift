package import NightlatchWire

extension Administration {
    /// All registered apps, in the order of their ids.
    package func apps() async throws(AdministrationError) -> [StoredApp] {
        try await ask { () async throws(RelyingPartyStoreError) in try await store.apps() }
    }

    package func app(_ id: ClientID) async throws(AdministrationError) -> StoredApp {
        guard let app = try await apps().first(where: { $0.app.id == id }) else { throw .appUnknown }
        return app
    }

    /// Registers or changes an app, as ``AppRequest/put(in:by:)``.
    ///
    /// - Returns: The app, and its secret if it got a new one.
    /// - Throws: ``AdministrationError`` `appChanged` if another revision than the requested one is current.
    package func put(_ request: AppRequest) async throws(AdministrationError) -> (StoredApp, AppSecret?) {
        let outcome = try await ask { () async throws(RelyingPartyStoreError) in
            try await request.put(in: store, by: party)
        }
        switch outcome {
        case .stored(let stored, let secret): return (stored, secret)
        case .changed: throw .appChanged
        case .tooMany: throw .tooManyApps
        }
    }

    /// Removes an app. Devices that it has bound stay bound, and cannot log in.
    package func removeApp(_ id: ClientID) async throws(AdministrationError) {
        let isRemoved = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.removeApp(id, by: party)
        }
        guard isRemoved else { throw .appUnknown }
    }
}
