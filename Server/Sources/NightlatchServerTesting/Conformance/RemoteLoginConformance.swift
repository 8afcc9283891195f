import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules about opening and deciding remote logins that every store keeps.
package enum RemoteLoginConformance {
    package static let requirements: [StoreRequirement] = opening + limits + contests + deciding + races

    private static let opening = [
        StoreRequirement("A remote login is recorded as opened, and opening it again changes nothing") { store in
            let (alice, _) = try await aliceWithDevice(in: store)
            let full = try TestRemoteLogin.new(of: alice, details: TestRemoteLogin.details(message: "W4SCT “ä”"))
            let bare = try TestRemoteLogin.new(
                of: alice, details: TestRemoteLogin.details(place: nil, hasNumber: false), isClaimed: true)
            for login in [full, bare] {
                #expect(try await store.openRemoteLogin(login) == .opened(login))
                try await TestTime.after(.seconds(60)) { () async throws in
                    #expect(try await store.openRemoteLogin(login) == .opened(login))
                }
                #expect(try await store.remoteLogin(login.id) == login)
            }
            #expect(try await Set(store.remoteLogins(of: alice, limit: 10)) == [full, bare])
            #expect(try await store.remoteLogins(of: Fixture.bob(), limit: 10) == [])
            #expect(try await store.remoteLogin(.random()) == nil)
            #expect(try await events(in: store).map(\.kind) == [.remoteLoginRequested, .remoteLoginRequested])
        },

        StoreRequirement("A remote login of a user who does not exist is refused") { store in
            let login = try TestRemoteLogin.new(of: Fixture.alice(), isClaimed: true)
            #expect(try await store.openRemoteLogin(login) == .userUnknown)
            #expect(try await store.remoteLogin(login.id) == nil)
        },

        StoreRequirement("A remote login that has already expired, or would live too long, is not recorded") { store in
            let (alice, _) = try await aliceWithDevice(in: store)
            let longest = TestRemoteLogin.life + ChallengeUse.retention
            let lives: [(Duration, Bool)] = [
                (.seconds(-1), false), (.zero, true), (longest, true), (longest + .seconds(1), false),
            ]
            for (life, isGood) in lives {
                let login = try TestRemoteLogin.new(
                    of: alice, details: TestRemoteLogin.details(expiresAt: TestTime.current + life), isClaimed: true)
                #expect(try await store.openRemoteLogin(login) == (isGood ? .opened(login) : .expired))
                #expect(try await store.remoteLogin(login.id) == (isGood ? login : nil))
            }
        },

        StoreRequirement("Claiming a remote login that was requested for the same user opens the same one") { store in
            let (alice, _) = try await aliceWithDevice(in: store)
            let requested = try TestRemoteLogin.new(of: alice)
            let claimed = try TestRemoteLogin.new(
                id: requested.id, of: alice, details: TestRemoteLogin.details(message: "another"), isClaimed: true)
            _ = try await store.openRemoteLogin(requested)
            #expect(try await store.openRemoteLogin(claimed) == .opened(requested))
            #expect(try await store.remoteLogin(requested.id) == requested)
        },

        StoreRequirement("A list has the newest remote logins that have not expired, in any state, oldest first") {
            store in
            let (alice, device) = try await aliceWithDevice(in: store)
            var logins: [RemoteLogin] = []
            for second in 0..<4 {
                try await TestTime.after(.seconds(second)) { () async throws in
                    let login = try TestRemoteLogin.new(of: alice, isClaimed: second % 2 == 0)
                    _ = try await store.openRemoteLogin(login)
                    logins.append(login)
                }
            }
            _ = try await store.decideRemoteLogin(
                TestRemoteLogin.decision(.reject, on: logins[3], by: device), consuming: Fixture.use())
            func ids(after seconds: Int, limit: Int) async throws -> [RemoteLoginID] {
                try await TestTime.after(.seconds(seconds)) {
                    try await store.remoteLogins(of: alice, limit: limit).map(\.id)
                }
            }
            let all = logins.map(\.id)
            #expect(try await ids(after: 4, limit: 10) == all)
            #expect(try await ids(after: 4, limit: 2) == all.suffix(2))
            #expect(try await ids(after: 4, limit: 0) == [])
            #expect(try await ids(after: 180, limit: 10) == all)
            #expect(try await ids(after: 181, limit: 10) == all.suffix(3))
            #expect(try await ids(after: 184, limit: 10) == [])
            #expect(try await store.remoteLogins(of: alice, limit: 1).map(\.state) == [.rejected])
        },

        StoreRequirement("A remote login is kept for a day after its expiry, so its id opens no second one") { store in
            let (alice, device) = try await aliceWithDevice(in: store)
            let (used, unused) = (try TestRemoteLogin.new(of: alice), try TestRemoteLogin.new(of: alice))
            try await store.remoteLogin(used, confirmedBy: device)
            try await store.remoteLogin(unused, confirmedBy: nil)
            let end = TestRemoteLogin.life + .seconds(24 * 60 * 60)
            try await TestTime.after(end) { () async throws in
                try await store.purgeExpired()
                for login in [used, unused] { #expect(try await store.remoteLogin(login.id)?.state == .expired) }
                let again = try TestRemoteLogin.new(id: used.id, of: alice)
                var expired = used
                (expired.state, expired.device) = (.expired, device)
                #expect(try await store.openRemoteLogin(again) == .opened(expired))
            }
            try await TestTime.after(end + .seconds(1)) { () async throws in
                try await store.purgeExpired()
                for login in [used, unused] { #expect(try await store.remoteLogin(login.id) == nil) }
            }
        },
    ]

    private static let limits = [
        StoreRequirement("A user has at most three remote logins that others requested; claimed ones do not count") {
            store in
            let (alice, _) = try await aliceWithDevice(in: store)
            _ = try await store.newCode(for: Fixture.bob())
            let requested = try (0..<4).map { _ in try TestRemoteLogin.new(of: alice) }
            for _ in 0..<4 {
                let claimed = try TestRemoteLogin.new(of: alice, isClaimed: true)
                #expect(try await store.openRemoteLogin(claimed) == .opened(claimed))
            }
            for login in requested.prefix(3) { #expect(try await store.openRemoteLogin(login) == .opened(login)) }
            #expect(try await store.openRemoteLogin(requested[3]) == .tooMany)
            #expect(try await store.remoteLogin(requested[3].id) == nil)
            // One that exists is found again, another may be claimed, and another user has a limit of their own.
            #expect(try await store.openRemoteLogin(requested[0]) == .opened(requested[0]))
            for login in [
                try TestRemoteLogin.new(of: alice, isClaimed: true), try TestRemoteLogin.new(of: Fixture.bob()),
            ] {
                #expect(try await store.openRemoteLogin(login) == .opened(login))
            }
        },

        StoreRequirement("Requests of login pages and of backends have a limit of their own each") { store in
            let (alice, _) = try await aliceWithDevice(in: store)
            for hasNumber in [true, false] {
                for index in 0..<4 {
                    let login = try TestRemoteLogin.new(
                        of: alice, details: TestRemoteLogin.details(hasNumber: hasNumber))
                    #expect(try await store.openRemoteLogin(login) == (index < 3 ? .opened(login) : .tooMany))
                }
            }
            let actors = try await events(in: store).map(\.actor)
            #expect(actors.count == 6 && actors.count { $0 == .backend } == 3 && Set(actors) == [.server, .backend])
        },

        StoreRequirement("Rejected, contested and wrongly confirmed remote logins count until they would have expired")
        { store in
            let (alice, device) = try await aliceWithDevice(in: store)
            _ = try await store.newCode(for: Fixture.bob())
            let logins = try (0..<3).map { _ in try TestRemoteLogin.new(of: alice) }
            for login in logins { _ = try await store.openRemoteLogin(login) }
            _ = try await store.decideRemoteLogin(
                TestRemoteLogin.decision(.reject, on: logins[0], by: device), consuming: Fixture.use())
            _ = try await store.decideRemoteLogin(
                TestRemoteLogin.confirmation(of: logins[1], by: device, number: nil), consuming: Fixture.use())
            _ = try await store.openRemoteLogin(TestRemoteLogin.new(id: logins[2].id, of: Fixture.bob()))
            let states = try await store.remoteLogins(of: alice, limit: 10).map(\.state)
            #expect(Set(states) == [.rejected, .numberWrong, .contested])
            try await TestTime.after(TestRemoteLogin.life) { () async throws in
                #expect(try await store.openRemoteLogin(TestRemoteLogin.new(of: alice)) == .tooMany)
            }
            try await TestTime.after(TestRemoteLogin.life + .seconds(1)) { () async throws in
                for _ in 0..<3 {
                    let login = try TestRemoteLogin.new(of: alice)
                    #expect(try await store.openRemoteLogin(login) == .opened(login))
                }
                #expect(try await store.openRemoteLogin(TestRemoteLogin.new(of: alice)) == .tooMany)
            }
        },

        StoreRequirement("Confirmed and completed remote logins do not count") { store in
            let (alice, device) = try await aliceWithDevice(in: store)
            _ = try await store.putApp(TestApp.new(ClientID.default.rawValue), replacing: nil, by: .operator)
            for isCompleted in [false, true, false, true] {
                let login = try TestRemoteLogin.new(of: alice)
                try await store.remoteLogin(login, confirmedBy: device)
                guard isCompleted else { continue }
                #expect(try await store.completeRemoteLogin(TestRemoteLogin.completion(of: login.id)) == .code)
            }
            let login = try TestRemoteLogin.new(of: alice)
            #expect(try await store.openRemoteLogin(login) == .opened(login))
        },
    ]

    private static let contests = [
        StoreRequirement("A remote login that devices of two users open is contested: no device can confirm it") {
            store in
            let (alice, device) = try await aliceWithDevice(in: store)
            let bob = try Fixture.bob()
            let bobs = try await store.bind(TestDevice(), to: bob)
            let pending = try TestRemoteLogin.new(of: alice, isClaimed: true)
            let confirmed = try TestRemoteLogin.new(of: alice, isClaimed: true)
            try await store.remoteLogin(pending, confirmedBy: nil)
            try await store.remoteLogin(confirmed, confirmedBy: device)
            for (login, decider) in [(pending, nil), (confirmed, device)] {
                var contested = login
                (contested.state, contested.device) = (.contested, decider)
                let theirs = try TestRemoteLogin.new(id: login.id, of: bob, isClaimed: true)
                for _ in 0..<2 { #expect(try await store.openRemoteLogin(theirs) == .contested(contested)) }
                #expect(try await store.openRemoteLogin(login) == .opened(contested))
                #expect(try await store.remoteLogin(login.id) == contested)
                for (id, user, outcome) in [
                    (device, alice, RemoteLoginDecisionOutcome.ended(.contested)), (bobs, bob, .noSuchLogin),
                ] {
                    let decision = TestRemoteLogin.decision(.confirm, on: login, by: id, user: user)
                    #expect(try await store.decideRemoteLogin(decision, consuming: Fixture.use()) == outcome)
                }
                #expect(try await store.completeRemoteLogin(TestRemoteLogin.completion(of: login.id)) == .refused)
            }
            let contests = try await events(in: store).filter { $0.kind == .remoteLoginContested }
            #expect(contests.count == 2 && contests.allSatisfy { $0.user == alice })
        },

        StoreRequirement("A remote login that has ended stays as it is when another user opens it") { store in
            let (alice, device) = try await aliceWithDevice(in: store)
            _ = try await store.putApp(TestApp.new(ClientID.default.rawValue), replacing: nil, by: .operator)
            let bob = try Fixture.bob()
            _ = try await store.newCode(for: bob)
            let logins = try (0..<4).map { _ in try TestRemoteLogin.new(of: alice, isClaimed: true) }
            for login in logins { _ = try await store.openRemoteLogin(login) }
            let decisions = [
                TestRemoteLogin.decision(.reject, on: logins[0], by: device),
                TestRemoteLogin.confirmation(of: logins[1], by: device, number: nil),
                TestRemoteLogin.decision(.confirm, on: logins[2], by: device),
            ]
            for decision in decisions { _ = try await store.decideRemoteLogin(decision, consuming: Fixture.use()) }
            _ = try await store.completeRemoteLogin(TestRemoteLogin.completion(of: logins[2].id))
            try await TestTime.after(TestRemoteLogin.life + .seconds(1)) { () async throws in
                for (login, state) in zip(logins, [RemoteLoginState.rejected, .numberWrong, .completed, .expired]) {
                    let ended = try #require(try await store.remoteLogin(login.id))
                    #expect(ended.state == state)
                    let theirs = try TestRemoteLogin.new(id: login.id, of: bob, isClaimed: true)
                    #expect(try await store.openRemoteLogin(theirs) == .contested(ended))
                    #expect(try await store.remoteLogin(login.id) == ended)
                }
            }
            #expect(try await events(in: store).allSatisfy { $0.kind != .remoteLoginContested })
        },
    ]

    private static let deciding =
        [
            StoreRequirement("A remote login is confirmed only with the number of its login page, in one attempt") {
                store in
                let (alice, device) = try await aliceWithDevice(in: store)
                let numbered = try TestRemoteLogin.details()
                let plain = try TestRemoteLogin.details(hasNumber: false)
                let cases: [(RemoteLoginDetails, RemoteLoginNumber?, RemoteLoginState)] = [
                    (numbered, try TestRemoteLogin.number("42"), .confirmed),
                    (numbered, try TestRemoteLogin.number("24"), .numberWrong),
                    (numbered, nil, .numberWrong),
                    (plain, nil, .confirmed),
                    (plain, try TestRemoteLogin.number("42"), .numberWrong),
                ]
                for (details, number, state) in cases {
                    let login = try TestRemoteLogin.new(of: alice, details: details, isClaimed: true)
                    _ = try await store.openRemoteLogin(login)
                    #expect(
                        try await store.decideRemoteLogin(
                            TestRemoteLogin.confirmation(of: login, by: device, number: number),
                            consuming: Fixture.use()) == .recorded(state))
                    // A second attempt with the right number changes nothing.
                    #expect(
                        try await store.decideRemoteLogin(
                            TestRemoteLogin.decision(.confirm, on: login, by: device), consuming: Fixture.use())
                            == .ended(state))
                    let recorded = try #require(try await store.remoteLogin(login.id))
                    #expect(recorded.state == state && recorded.device == device)
                }
            },

            StoreRequirement("A decision on changed details of a remote login is refused") { store in
                let (alice, device) = try await aliceWithDevice(in: store)
                let login = try TestRemoteLogin.new(of: alice)
                _ = try await store.openRemoteLogin(login)
                for details in try TestRemoteLogin.changedDetails() {
                    for way in TransactionDecision.allCases {
                        let decision = TestRemoteLogin.decision(way, on: login, by: device, details: details)
                        #expect(
                            try await store.decideRemoteLogin(decision, consuming: Fixture.use()) == .detailsDiffer)
                    }
                }
                #expect(try await store.remoteLogin(login.id) == login)
                try await confirm(login, by: device, in: store)
            },

            StoreRequirement("Only a device of the user that is not stopped can decide a remote login") { store in
                let (alice, device) = try await aliceWithDevice(in: store)
                let bob = try Fixture.bob()
                let bobs = try await store.bind(TestDevice(), to: bob)
                let (blocked, revoked) = (
                    try await store.bind(TestDevice(), to: alice), try await store.bind(TestDevice(), to: alice)
                )
                _ = try await store.change(blocked, of: alice, by: .operator, .block)
                _ = try await store.revoke(revoked, of: alice)
                let login = try TestRemoteLogin.new(of: alice)
                _ = try await store.openRemoteLogin(login)
                func outcome(
                    _ device: DeviceID, _ user: UserID, on login: RemoteLogin
                ) async throws -> RemoteLoginDecisionOutcome {
                    try await store.decideRemoteLogin(
                        TestRemoteLogin.decision(.confirm, on: login, by: device, user: user),
                        consuming: Fixture.use())
                }
                #expect(try await outcome(bobs, bob, on: login) == .noSuchLogin)
                #expect(try await outcome(bobs, alice, on: login) == .noSuchLogin)
                #expect(try await outcome(device, bob, on: login) == .noSuchLogin)
                #expect(try await outcome(.random(), alice, on: login) == .noSuchLogin)
                #expect(try await outcome(device, alice, on: TestRemoteLogin.new(of: alice)) == .noSuchLogin)
                #expect(try await outcome(blocked, alice, on: login) == .deviceStopped(.blocked))
                #expect(try await outcome(revoked, alice, on: login) == .deviceStopped(.revoked))
                #expect(try await store.remoteLogin(login.id) == login)
                #expect(try await outcome(device, alice, on: login) == .recorded(.confirmed))
            },

            StoreRequirement(
                "A remote login can be decided until its last second by the store's clock, and not later"
            ) { store in
                let (alice, device) = try await aliceWithDevice(in: store)
                let logins = try (0..<2).map { _ in try TestRemoteLogin.new(of: alice) }
                for login in logins { _ = try await store.openRemoteLogin(login) }
                try await TestTime.after(TestRemoteLogin.life) { () async throws in
                    try await confirm(logins[0], by: device, in: store)
                    #expect(try await store.remoteLogin(logins[1].id) == logins[1])
                }
                try await TestTime.after(TestRemoteLogin.life + .seconds(1)) { () async throws in
                    let decision = TestRemoteLogin.decision(.confirm, on: logins[1], by: device)
                    #expect(
                        try await store.decideRemoteLogin(decision, consuming: Fixture.use()) == .ended(.expired))
                    #expect(try await store.remoteLogin(logins[1].id)?.state == .expired)
                    #expect(try await store.remoteLogin(logins[0].id)?.state == .confirmed)
                }
            },

            StoreRequirement("A challenge that has expired, or was used for a login, decides no remote login") {
                store in
                let alice = try Fixture.alice()
                let device = TestDevice()
                let id = try await store.bind(device, to: alice)
                let login = try TestRemoteLogin.new(of: alice)
                _ = try await store.openRemoteLogin(login)
                let decision = TestRemoteLogin.decision(.confirm, on: login, by: id)
                let use = Fixture.use()
                _ = try await store.recordLogin(device.login(id: id, user: alice), consuming: use)
                #expect(
                    try await store.decideRemoteLogin(decision, consuming: Fixture.use(use.challenge))
                        == .challengeUsed)
                let late = Fixture.use()
                try await TestTime.after(.seconds(121)) { () async throws in
                    #expect(try await store.decideRemoteLogin(decision, consuming: late) == .challengeExpired)
                }
                #expect(try await store.remoteLogin(login.id) == login)
                // A challenge that decided a remote login serves for no login either.
                let own = Fixture.use()
                #expect(try await store.decideRemoteLogin(decision, consuming: own) == .recorded(.confirmed))
                #expect(
                    try await store.recordLogin(device.login(id: id, user: alice), consuming: own) == .challengeUsed)
            },

            StoreRequirement("A refused decision consumes no challenge") { store in
                let (alice, device) = try await aliceWithDevice(in: store)
                let login = try TestRemoteLogin.new(of: alice)
                _ = try await store.openRemoteLogin(login)
                let (use, other) = (Fixture.use(), try TestRemoteLogin.details(app: "Another app"))
                let changed = TestRemoteLogin.decision(.confirm, on: login, by: device, details: other)
                #expect(try await store.decideRemoteLogin(changed, consuming: use) == .detailsDiffer)
                #expect(
                    try await store.decideRemoteLogin(
                        TestRemoteLogin.decision(.confirm, on: login, by: device), consuming: use)
                        == .recorded(.confirmed))
            },

            StoreRequirement("The operations on remote logins are in the log, in order and once") { store in
                let (alice, device) = try await aliceWithDevice(in: store)
                _ = try await store.putApp(TestApp.new(ClientID.default.rawValue), replacing: nil, by: .operator)
                let logins = try (0..<3).map { _ in try TestRemoteLogin.new(of: alice) }
                let decisions = [
                    TestRemoteLogin.decision(.confirm, on: logins[0], by: device),
                    TestRemoteLogin.decision(.reject, on: logins[1], by: device),
                    TestRemoteLogin.confirmation(of: logins[2], by: device, number: nil),
                ]
                for (index, login) in logins.enumerated() {
                    try await TestTime.after(.seconds(1 + index)) { () async throws in
                        for _ in 0..<2 { _ = try await store.openRemoteLogin(login) }
                    }
                }
                for (index, decision) in decisions.enumerated() {
                    try await TestTime.after(.seconds(4 + index)) { () async throws in
                        let use = Fixture.use()
                        for _ in 0..<2 { _ = try await store.decideRemoteLogin(decision, consuming: use) }
                        _ = try await store.decideRemoteLogin(decision, consuming: Fixture.use())
                    }
                }
                try await TestTime.after(.seconds(7)) { () async throws in
                    for login in logins {
                        for _ in 0..<2 {
                            _ = try await store.completeRemoteLogin(TestRemoteLogin.completion(of: login.id))
                        }
                    }
                }
                let found = try await events(in: store)
                #expect(
                    found.map(\.kind) == [
                        .remoteLoginRequested, .remoteLoginRequested, .remoteLoginRequested, .remoteLoginConfirmed,
                        .remoteLoginRejected, .remoteLoginNumberWrong, .remoteLoginCompleted,
                    ])
                #expect(found.map(\.device) == [nil, nil, nil, device, device, device, device])
                #expect(
                    found.map(\.actor) == [.server, .server, .server, .device, .device, .device, .user])
                #expect(found.allSatisfy { $0.client == .default && $0.user == alice })
                #expect(try await AuditSteps.findings(in: store).isEmpty)
            },
        ] + TransactionDecision.allCases.map(decide)

    private static func decide(_ way: TransactionDecision) -> StoreRequirement {
        StoreRequirement("A decision on a remote login is recorded once: \(way)") { store in
            let (alice, device) = try await aliceWithDevice(in: store)
            let login = try TestRemoteLogin.new(of: alice)
            _ = try await store.openRemoteLogin(login)
            let (use, first) = (Fixture.use(), TestRemoteLogin.decision(way, on: login, by: device))
            let state: RemoteLoginState = way == .confirm ? .confirmed : .rejected
            // Tries the same message again, another message with the same challenge, and another challenge.
            for _ in 0..<2 { #expect(try await store.decideRemoteLogin(first, consuming: use) == .recorded(state)) }
            for other in TransactionDecision.allCases {
                let decision = TestRemoteLogin.decision(other, on: login, by: device)
                #expect(
                    try await store.decideRemoteLogin(decision, consuming: Fixture.use(use.challenge))
                        == .challengeUsed)
                #expect(try await store.decideRemoteLogin(decision, consuming: Fixture.use()) == .ended(state))
            }
            var decided = login
            (decided.state, decided.device) = (state, device)
            #expect(try await store.remoteLogin(login.id) == decided)
            #expect(try await store.openRemoteLogin(login) == .opened(decided))
        }
    }

    private static let races = [
        StoreRequirement("Of 60 concurrent decisions of two devices, exactly one is recorded") { store in
            let (alice, device) = try await aliceWithDevice(in: store)
            let other = try await store.bind(TestDevice(), to: alice)
            let login = try TestRemoteLogin.new(of: alice)
            _ = try await store.openRemoteLogin(login)
            let decisions = [device, other].flatMap { id in
                [
                    TestRemoteLogin.decision(.confirm, on: login, by: id),
                    TestRemoteLogin.decision(.reject, on: login, by: id),
                    TestRemoteLogin.confirmation(of: login, by: id, number: nil),
                ]
            }
            let outcomes = try await withThrowingTaskGroup(of: RemoteLoginDecisionOutcome.self) { group in
                for index in 0..<60 {
                    group.addTask {
                        try await store.decideRemoteLogin(
                            decisions[index % decisions.count], consuming: Fixture.use())
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let state = try #require(try await store.remoteLogin(login.id)?.state)
            #expect(outcomes.count { $0 == .recorded(state) } == 1)
            #expect(outcomes.count { $0 == .ended(state) } == 59)
            #expect(try await events(in: store).count == 2)
        },

        StoreRequirement("Of 100 numbers tried at once by two devices, one is compared, and a wrong one ends the login")
        {
            store in
            let (alice, device) = try await aliceWithDevice(in: store)
            let other = try await store.bind(TestDevice(), to: alice)
            let login = try TestRemoteLogin.new(of: alice)
            _ = try await store.openRemoteLogin(login)
            let outcomes = try await withThrowingTaskGroup(of: (String, RemoteLoginDecisionOutcome).self) { group in
                for index in 0..<100 {
                    let number = try TestRemoteLogin.number((index < 10 ? "0" : "") + String(index))
                    let guess = TestRemoteLogin.confirmation(
                        of: login, by: index.isMultiple(of: 2) ? device : other, number: number)
                    group.addTask {
                        (number.rawValue, try await store.decideRemoteLogin(guess, consuming: Fixture.use()))
                    }
                }
                return try await group.reduce(into: [:] as [String: RemoteLoginDecisionOutcome]) { $0[$1.0] = $1.1 }
            }
            let state = try #require(try await store.remoteLogin(login.id)?.state)
            let recorded = outcomes.filter { $0.value == .recorded(state) }
            #expect(recorded.count == 1 && outcomes.count { $0.value == .ended(state) } == 99)
            #expect(state == (recorded.keys.first == login.number?.rawValue ? .confirmed : .numberWrong))
            #expect(try await events(in: store).count == 2)
        },

        StoreRequirement("One decision sent 50 times at once is recorded once, and each call gets its state") { store in
            let (alice, device) = try await aliceWithDevice(in: store)
            let login = try TestRemoteLogin.new(of: alice)
            _ = try await store.openRemoteLogin(login)
            let (use, decision) = (Fixture.use(), TestRemoteLogin.decision(.confirm, on: login, by: device))
            let outcomes = try await inParallel(50) { try await store.decideRemoteLogin(decision, consuming: use) }
            #expect(Set(outcomes) == [.recorded(.confirmed)])
            let kinds = try await events(in: store).map(\.kind)
            #expect(kinds.count == 2 && Set(kinds) == [.remoteLoginRequested, .remoteLoginConfirmed])
        },

        StoreRequirement("Of 30 remote logins requested for a user at once, three are opened") { store in
            let (alice, _) = try await aliceWithDevice(in: store)
            let outcomes = try await inParallel(30) {
                try await store.openRemoteLogin(TestRemoteLogin.new(of: alice))
            }
            #expect(outcomes.count { $0 == .tooMany } == 27)
            #expect(try await store.remoteLogins(of: alice, limit: 100).count == 3)
        },

        StoreRequirement("A remote login opened 50 times at once is recorded once") { store in
            let (alice, _) = try await aliceWithDevice(in: store)
            let login = try TestRemoteLogin.new(of: alice)
            let outcomes = try await inParallel(50) { try await store.openRemoteLogin(login) }
            #expect(Set(outcomes) == [.opened(login)])
            #expect(try await events(in: store).map(\.kind) == [.remoteLoginRequested])
        },

        StoreRequirement("A remote login that two users open at once is contested for both") { store in
            let (alice, _) = try await aliceWithDevice(in: store)
            let bob = try Fixture.bob()
            _ = try await store.newCode(for: bob)
            for _ in 0..<10 {
                let login = try TestRemoteLogin.new(of: alice, isClaimed: true)
                let theirs = try TestRemoteLogin.new(id: login.id, of: bob, isClaimed: true)
                async let first = store.openRemoteLogin(login)
                async let second = store.openRemoteLogin(theirs)
                let outcomes = try await [first, second]
                #expect(outcomes.count { if case .opened = $0 { true } else { false } } == 1)
                #expect(outcomes.count { if case .contested = $0 { true } else { false } } == 1)
                #expect(try await store.remoteLogin(login.id)?.state == .contested)
            }
            let kinds = try await events(in: store).map(\.kind)
            #expect(kinds.count { $0 == .remoteLoginRequested } == 10)
            #expect(kinds.count { $0 == .remoteLoginContested } == 10)
        },
    ]

    private static func aliceWithDevice(in store: any RelyingPartyStore) async throws -> (UserID, DeviceID) {
        let alice = try Fixture.alice()
        return (alice, try await store.bind(TestDevice(), to: alice))
    }

    private static func confirm(
        _ login: RemoteLogin, by device: DeviceID, in store: any RelyingPartyStore
    ) async throws {
        let decision = TestRemoteLogin.decision(.confirm, on: login, by: device)
        #expect(try await store.decideRemoteLogin(decision, consuming: Fixture.use()) == .recorded(.confirmed))
    }

    /// The events of remote logins, oldest first. Those of one second have an order only within a chain of the log.
    private static func events(in store: any RelyingPartyStore) async throws -> [AuditEvent] {
        try await store.auditEntries(of: nil, before: nil, limit: 1000).map(\.event)
            .filter { $0.kind.rawValue.hasPrefix("remote_login") }.reversed()
    }
}
