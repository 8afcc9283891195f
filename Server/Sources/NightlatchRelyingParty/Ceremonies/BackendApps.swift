package import NightlatchWire

/// The backend's operations on registered apps.
package struct BackendApps: Sendable {
    let store: any RelyingPartyStore
    let registry: AppRegistry
    let clock: WallClock

    package init(store: any RelyingPartyStore, registry: AppRegistry, clock: WallClock) {
        self.store = store
        self.registry = registry
        self.clock = clock
    }

    package func apps() async throws(Refusal) -> AppSummaryList {
        AppSummaryList(try await answer { () async throws(RelyingPartyStoreError) in try await store.apps() })
    }

    package func app(_ id: ClientID) async throws(Refusal) -> AppReport {
        let apps = try await answer { () async throws(RelyingPartyStoreError) in try await store.apps() }
        guard let found = apps.first(where: { $0.app.id == id }) else { throw .notFound }
        return AppReport(found)
    }

    /// Registers or changes the app `id`, which the request must name too.
    package func put(
        _ request: AppRequest, as id: ClientID, by actor: ActingParty
    ) async throws(Refusal) -> AppReport {
        guard request.app.id == id else { throw .malformed(detail: "client_id must be the id in the path.") }
        let outcome = try await answer { () async throws(RelyingPartyStoreError) in
            try await request.put(in: store, by: actor)
        }
        switch outcome {
        case .stored(let stored, let secret):
            await registry.reload(now: clock.now())
            return AppReport(stored, secret: secret)
        case .changed: throw .appChanged
        case .tooMany: throw .tooManyApps
        }
    }

    /// Removes an app. Idempotent.
    package func remove(_ id: ClientID, by actor: ActingParty) async throws(Refusal) -> RemovedApp {
        let isRemoved = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.removeApp(id, by: actor)
        }
        if isRemoved { await registry.reload(now: clock.now()) }
        return RemovedApp(id: id)
    }
}

/// The answer to the removal of an app: it is not registered.
package struct RemovedApp: Encodable, Sendable {
    let id: ClientID

    private enum CodingKeys: String, CodingKey {
        case id = "client_id"
    }
}
