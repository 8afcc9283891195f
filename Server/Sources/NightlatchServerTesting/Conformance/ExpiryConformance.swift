import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules that every store keeps about expiry times that were written while the clock was ahead.
package enum ExpiryConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement(
            "A code made while the clock was a month ahead is valid for ten minutes from now, and no longer"
        ) { store in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let ahead = try await TestTime.after(month) { try await store.newCode(for: alice) }
            let now = try await store.newCode(for: alice)
            func usable(after seconds: Int) async throws -> [Bool] {
                try await TestTime.after(.seconds(seconds)) {
                    var isUsable: [Bool] = []
                    for code in [ahead, now] {
                        isUsable.append(try await store.user(enrolledBy: code, deviceKey: device.key.id) == alice)
                    }
                    return isUsable
                }
            }
            try await purge(store, latest: nil)
            #expect(try await usable(after: 3600) == [true, false])
            // The store's clock is ahead of the caller's: a code made now keeps its expiry.
            try await purge(store, latest: TestTime.current + .seconds(-3600))
            #expect(try await usable(after: 600) == [true, true])
            #expect(try await usable(after: 601) == [false, false])
            // A later purge limits expiry times from its own time and extends none.
            try await TestTime.after(.seconds(300)) { try await purge(store) }
            #expect(try await usable(after: 601) == [false, false])
        },

        StoreRequirement(
            "A session begun while the clock was a month ahead lives as long as one that begins now"
        ) { store in
            let alice = try Fixture.alice()
            let (ahead, now) = (TestJourneys.session(of: alice), TestJourneys.session(of: alice))
            // A session refers to its user, who must exist.
            _ = try await store.newCode(for: alice)
            try await TestTime.after(month) {
                let step = JourneyStep(use: TestJourneys.use(), session: ahead)
                let outcome = try await store.recordJourneyStep(step)
                #expect(outcome == .recorded)
            }
            let step = JourneyStep(use: TestJourneys.use(), session: now)
            #expect(try await store.recordJourneyStep(step) == .recorded)
            func alive(after time: Duration) async throws -> [Bool] {
                try await TestTime.after(time) {
                    [
                        try await store.journeySession(ahead.token) != nil,
                        try await store.journeySession(now.token) != nil,
                    ]
                }
            }
            #expect(try await alive(after: TestJourneys.life + .seconds(1)) == [true, false])
            try await purge(store)
            #expect(try await alive(after: TestJourneys.life) == [true, true])
            #expect(try await alive(after: TestJourneys.life + .seconds(1)) == [false, false])
        },

        StoreRequirement(
            "A purge while the clock is two months ahead deletes no live family of refresh tokens"
        ) { store in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let token = try await store.logIn(device, id: try await store.bind(device, to: alice), user: alice)
            try await TestTime.after(month * 2) {
                try await store.purgeExpired()
                let outcome = try await store.refresh(token, by: device).0
                #expect(outcome == .refused)
            }
            #expect(try await store.refresh(token, by: device).0.isRotated)
        },
    ]

    private static let month = Duration.seconds(30 * 24 * 3600)

    private static func purge(_ store: any RelyingPartyStore, latest: NumericDate? = TestTime.current) async throws {
        let limit = latest.map {
            ExpiryLimit(latest: $0, enrolmentCodeLife: .seconds(600), journeySessionLife: TestJourneys.life)
        }
        try await store.purgeExpired(before: PurgeTimes(brief: nil, lasting: nil, limit: limit))
    }
}
