import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The registry of apps")
struct AppRegistryTests {
    let store = ScriptedAppStore()

    private func registry() -> AppRegistry { AppRegistry(store: store, configured: [.default]) }

    /// Registers an app behind the registry's back, as another process does.
    @discardableResult
    private func put(_ id: String, bindsDevices: Bool = true) async throws -> App {
        var app = try TestApp.new(id)
        app.bindsDevices = bindsDevices
        let revision = try await store.apps().first { $0.app.id == app.id }?.revision
        _ = try await store.putApp(app, replacing: revision, by: .operator)
        return app
    }

    @Test("Devices may use the configured apps, and registered apps that bind devices")
    func deviceClients() async throws {
        let (phone, _) = (try await put("phone"), try await put("web", bindsDevices: false))
        #expect(try await registry().deviceClients(now: TestTime.current) == [.default, phone.id])
    }

    @Test("For five seconds a copy of all apps is used, then the store is read once, also for many callers at once")
    func copies() async throws {
        let registry = registry()
        let web = try await put("web")
        let count = await store.readCount
        for seconds in 0...5 {
            try await TestTime.after(.seconds(seconds)) {
                let apps = try await registry.current(now: TestTime.current)
                #expect(apps[web.id] == web && apps.deviceClients == [.default, web.id])
            }
        }
        #expect(await store.readCount == count + 1)
        let changed = try await put("web", bindsDevices: false)
        let between = await store.readCount
        try await TestTime.after(.seconds(5)) {
            let clients = try await registry.deviceClients(now: TestTime.current)
            #expect(clients == [.default, web.id])
        }
        try await TestTime.after(.seconds(6)) {
            let found = try await inParallel(50) { try await registry.app(web.id, now: TestTime.current) }
            #expect(found == Array(repeating: changed, count: 50))
            #expect(try await registry.deviceClients(now: TestTime.current) == [.default])
        }
        #expect(await store.readCount == between + 1)
    }

    @Test("An unknown app is looked up in the store at most once a second")
    func unknownApp() async throws {
        let registry = registry()
        let id = try TestApp.new("new").id
        #expect(try await registry.app(id, now: TestTime.current) == nil)
        let new = try await put("new")
        let count = await store.readCount
        for _ in 0..<20 { #expect(try await registry.app(id, now: TestTime.current) == nil) }
        #expect(await store.readCount == count)
        try await TestTime.after(.seconds(1)) {
            let other = try TestApp.new("unknown").id
            _ = try await inParallel(20) { try await registry.app(other, now: TestTime.current) }
            #expect(try await registry.app(id, now: TestTime.current) == new)
        }
        #expect(await store.readCount == count + 1)
    }

    @Test("A clock that was set back does not keep an old copy in use")
    func clockSetBack() async throws {
        let registry = registry()
        let web = try await put("web")
        _ = try await registry.current(now: TestTime.current)
        _ = try await store.removeApp(web.id, by: .operator)
        try await TestTime.after(.seconds(-3)) {
            let found = try await registry.app(web.id, now: TestTime.current)
            #expect(found == nil)
        }
    }

    @Test("While the store is unavailable the last copy is used, and the store is asked once a second")
    func unavailable() async throws {
        let registry = registry()
        let web = try await put("web")
        _ = try await registry.current(now: TestTime.current)
        await store.fail(RelyingPartyStoreError(.unavailable))
        let count = await store.readCount
        try await TestTime.after(.seconds(3600)) {
            _ = try await inParallel(20) {
                let apps = try await registry.current(now: TestTime.current)
                #expect(apps[web.id] == web && apps.deviceClients == [.default, web.id])
            }
            #expect(await store.readCount == count + 1)
            // The store alone knows whether there is such an app.
            await #expect(throws: RelyingPartyStoreError(.unavailable)) {
                try await registry.app(try TestApp.new("other").id, now: TestTime.current)
            }
        }
        await store.fail(nil)
        try await TestTime.after(.seconds(3601)) {
            let found = try await registry.app(try TestApp.new("other").id, now: TestTime.current)
            #expect(found == nil)
        }
    }

    @Test("Without a first copy, an unavailable store is an error")
    func neverRead() async throws {
        await store.fail(RelyingPartyStoreError(.unavailable))
        let registry = registry()
        await #expect(throws: RelyingPartyStoreError(.unavailable)) {
            try await registry.deviceClients(now: TestTime.current)
        }
    }

    @Test(
        "If the stored apps are damaged, an old copy is not used: it would keep a removed app in use",
        arguments: [RelyingPartyStoreError.Kind.corrupt, .tooNew, .defect])
    func damaged(kind: RelyingPartyStoreError.Kind) async throws {
        let registry = registry()
        try await put("web")
        _ = try await registry.current(now: TestTime.current)
        await store.fail(RelyingPartyStoreError(kind))
        try await TestTime.after(.seconds(6)) {
            await #expect(throws: RelyingPartyStoreError(kind)) {
                try await registry.deviceClients(now: TestTime.current)
            }
        }
    }

    @Test(
        "A change by this process is used at once, even if reads from before the change are answered later",
        arguments: [false, true])
    func lateAnswer(isEarlierReload: Bool) async throws {
        let (registry, now) = (registry(), TestTime.current)
        let old = try await put("web", bindsDevices: false)
        await store.hold()
        let early = Task {
            if isEarlierReload { await registry.reload(now: now) } else { _ = try await registry.current(now: now) }
        }
        await store.waitForReads()
        let new = try await putQuietly("web")
        let reload = Task { await registry.reload(now: now) }
        await store.waitForReads(2)
        await store.releaseLast()
        await reload.value
        #expect(try await registry.app(old.id, now: now) == new)
        await store.release()
        try await early.value
        #expect(try await registry.app(old.id, now: now) == new)
        #expect(try await registry.deviceClients(now: now) == [.default, new.id])
    }

    /// Changes the app of revision 1 without a read.
    private func putQuietly(_ id: String) async throws -> App {
        var app = try TestApp.new(id)
        app.bindsDevices = true
        _ = try await store.putApp(app, replacing: 1, by: .operator)
        return app
    }

    @Test("A caller that is cancelled while the store is silent does not take the answer from the others")
    func cancelledCaller() async throws {
        let registry = registry()
        let web = try await put("web")
        await store.hold()
        let now = TestTime.current
        let first = Task { try await registry.app(web.id, now: now) }
        await store.waitForReads()
        async let second = registry.app(web.id, now: now)
        first.cancel()
        await store.release()
        #expect(try await second == web)
        _ = await first.result
    }
}
