import NightlatchRelyingParty
import NightlatchWire
import Testing

/// Apps in every store.
package enum AppConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement("An app is stored as it was registered, and apps are listed in the byte order of their ids") {
            store in
            #expect(try await store.apps() == [])
            let full = try TestApp.full("Zoo_1")
            for app in [try TestApp.new("web"), full, try TestApp.new("a-1"), try TestApp.new("B.2")] {
                let outcome = try await store.putApp(app, replacing: nil, by: .operator)
                #expect(outcome == .stored(StoredApp(app: app, revision: 1)))
            }
            #expect(try await store.apps().map(\.app.id.rawValue) == ["B.2", "Zoo_1", "a-1", "web"])
            #expect(try await store.apps().first { $0.app.id == full.id } == StoredApp(app: full, revision: 1))
        },

        StoreRequirement("An app is replaced only by a caller who names its current revision") { store in
            let first = try TestApp.new("web")
            var second = first
            second.name = try #require(AppName(rawValue: "Second"))
            _ = try await store.putApp(first, replacing: nil, by: .operator)
            let stored = StoredApp(app: first, revision: 1)
            for revision in [nil, -1, 0, 2, .max] {
                let outcome = try await store.putApp(second, replacing: revision, by: .operator)
                #expect(outcome == .changed(stored), "\(String(describing: revision))")
            }
            #expect(try await store.apps() == [stored])
            let changed = StoredApp(app: second, revision: 2)
            #expect(try await store.putApp(second, replacing: 1, by: .operator) == .stored(changed))
            #expect(try await store.putApp(first, replacing: 1, by: .operator) == .changed(changed))
            #expect(try await store.apps() == [changed])
            let unknown = try TestApp.new("other")
            #expect(try await store.putApp(unknown, replacing: 1, by: .operator) == .changed(nil))
        },

        StoreRequirement("A repeated change gets the same answer and changes nothing") { store in
            let app = try TestApp.new("web")
            var changed = app
            changed.bindsDevices = true
            for (app, revision) in [(app, nil), (changed, 1)] as [(App, Int?)] {
                let outcomes = [
                    try await store.putApp(app, replacing: revision, by: .operator),
                    try await store.putApp(app, replacing: revision, by: .operator),
                ]
                let stored = StoredApp(app: app, revision: (revision ?? 0) + 1)
                #expect(outcomes == [.stored(stored), .stored(stored)])
            }
            #expect(try await store.auditEntries(of: nil, before: nil, limit: 9).count == 2)
        },

        StoreRequirement("Of two operators who change an app at once, one is told that it was changed") { store in
            for round in 0..<20 {
                let base = try TestApp.new("web")
                let revision = try await store.apps().first?.revision
                let changes = try ["One \(round)", "Two \(round)"].map { name in
                    var app = base
                    app.name = try #require(AppName(rawValue: name))
                    return app
                }
                async let one = store.putApp(changes[0], replacing: revision, by: .operator)
                async let two = store.putApp(changes[1], replacing: revision, by: .backend)
                let outcomes = try await [one, two]
                let stored = try #require(try await store.apps().first)
                #expect(stored.revision == round + 1 && changes.contains(stored.app))
                #expect(outcomes.filter { $0 == .stored(stored) }.count == 1)
                #expect(outcomes.filter { $0 == .changed(stored) }.count == 1)
            }
        },

        StoreRequirement("Removing an app is idempotent, and the id can be registered again") { store in
            let app = try TestApp.new("web")
            let other = try TestApp.new("other")
            #expect(try await store.removeApp(app.id, by: .operator) == false)
            for app in [app, other] { _ = try await store.putApp(app, replacing: nil, by: .operator) }
            #expect(try await store.removeApp(app.id, by: .operator))
            #expect(try await store.removeApp(app.id, by: .operator) == false)
            #expect(try await store.apps() == [StoredApp(app: other, revision: 1)])
            #expect(try await store.putApp(app, replacing: 1, by: .operator) == .changed(nil))
            let again = StoredApp(app: app, revision: 1)
            #expect(try await store.putApp(app, replacing: nil, by: .operator) == .stored(again))
        },

        StoreRequirement("There are at most 1,000 apps, and existing ones can still be changed") { store in
            for number in 1...StoredApp.countLimit {
                let outcome = try await store.putApp(try TestApp.new("app-\(number)"), replacing: nil, by: .operator)
                guard case .stored = outcome else { throw StepFailed(outcome: "\(outcome)") }
            }
            let one = try TestApp.new("one-more")
            #expect(try await store.putApp(one, replacing: nil, by: .operator) == .tooMany)
            #expect(try await store.apps().count == StoredApp.countLimit)
            let changed = try TestApp.full("app-7")
            let stored = StoredApp(app: changed, revision: 2)
            #expect(try await store.putApp(changed, replacing: 1, by: .operator) == .stored(stored))
            #expect(try await store.removeApp(changed.id, by: .operator))
            #expect(
                try await store.putApp(one, replacing: nil, by: .operator) == .stored(StoredApp(app: one, revision: 1)))
        },

        StoreRequirement("The log has each change of an app once, and no refused one") { store in
            let app = try TestApp.new("web")
            var changed = app
            changed.tokenKind = .dpop
            _ = try await store.removeApp(app.id, by: .operator)
            _ = try await store.putApp(app, replacing: nil, by: .backend)
            _ = try await store.putApp(changed, replacing: nil, by: .backend)
            _ = try await store.putApp(changed, replacing: 1, by: .operator)
            for _ in 0..<2 { _ = try await store.removeApp(app.id, by: .operator) }
            let events = try await store.auditEntries(of: nil, before: nil, limit: 9).map(\.event)
            #expect(Set(events.map(\.kind)) == [.appRegistered, .appChanged, .appRemoved] && events.count == 3)
            #expect(events.map(\.client) == [app.id, app.id, app.id])
            #expect(events.first { $0.kind == .appRegistered }?.actor == .backend)
            #expect(events.first { $0.kind == .appChanged }?.actor == .operator)
            #expect(try await AuditSteps.findings(in: store).isEmpty)
        },
    ]
}
