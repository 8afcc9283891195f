import HTTPTypes
import HummingbirdTesting
import NightlatchConsole
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Roles in the console")
struct ConsoleRoleTests {
    /// The first role that may do each of these, as `docs/administration.md` says.
    static let leastRoles: [(HTTPRequest.Method, ConsolePath, OperatorRole)] = [
        (.get, .overview, .viewer), (.get, .users, .viewer), (.get, .audit, .viewer), (.get, .subjectPolicy, .viewer),
        (.post, .exportAudit, .viewer), (.post, .blockDevice, .support), (.post, .unblockDevice, .support),
        (.post, .renameDevice, .support), (.post, .endJourneySessions, .support), (.post, .revokeDevice, .security),
        (.post, .removeJourneyKey, .security), (.post, .voidTransaction, .security), (.post, .subjectPolicy, .security),
        (.post, .exportUser, .security), (.post, .deleteUser, .owner), (.post, .addApp, .owner),
        (.post, .removeApp, .owner), (.get, .operators, .owner), (.post, .addOperator, .owner),
        (.post, .changeOperator, .owner), (.post, .removeOperator, .owner), (.post, .operatorCode, .owner),
    ]

    /// The paths that need no session.
    static let open: Set<ConsolePath> = [.style, .signIn, .phoneSignIn, .signedIn]

    @Test("Each role may do more than the one before, and the table of first roles is right")
    func table() {
        for (lower, higher) in zip(OperatorRole.allCases, OperatorRole.allCases.dropFirst()) {
            #expect(lower.scopes.isStrictSubset(of: higher.scopes))
        }
        #expect(OperatorRole.allCases.filter(\.managesOperators) == [.owner])
        #expect(OperatorRole.owner.scopes == Set(APIScope.allCases))
        for scope in OperatorRole.viewer.scopes { #expect(scope.rawValue.hasSuffix(":read")) }
        for (method, path, role) in Self.leastRoles {
            #expect((method == .get ? path.need : path.actionNeed).leastRole == role, "\(path)")
        }
        for path in ConsolePath.allCases where path.need == .nothing {
            #expect(Self.open.contains(path) || path == .signOut, "\(path)")
        }
    }

    @Test(
        "Each page and each form is refused to each role that is too low, and to no other", arguments: OperatorRole.allCases)
    func everyPath(role: OperatorRole) async throws {
        try await OperatorParty.with { party in
            let phone = try await party.phone(of: Fixture.alice(), role)
            var browser = OperatorBrowser(party.caller)
            try await browser.signIn(phone)
            _ = try await browser.get("/console")
            var refusedCount = 0
            // Signing out is last, because it ends the session.
            for path in ConsolePath.allCases where !Self.open.contains(path) && path != .signOut {
                for method in [HTTPRequest.Method.get, .post] {
                    let address = ConsolePath.root + path.rawValue
                    let response = method == .get ? try await browser.get(address) : try await browser.post(address)
                    guard response.status != .methodNotAllowed else { continue }
                    let need = method == .get ? path.need : path.actionNeed
                    let least = need.leastRole
                    let roles = OperatorRole.allCases
                    let mayDo = try #require(roles.firstIndex(of: role)) >= #require(roles.firstIndex(of: least))
                    let isRefused = response.heading == "Your role does not allow this"
                    #expect(isRefused == !mayDo, "\(method) \(address): \(response.status)")
                    guard isRefused else { continue }
                    refusedCount += 1
                    #expect(response.status == .forbidden)
                    #expect(response.text.contains("needs the role \(least.rawValue), and yours is \(role.rawValue)"))
                }
            }
            #expect((refusedCount == 0) == (role == .owner))
            #expect(try await browser.post("/console/sign-out").status == .seeOther)
        }
    }

    @Test("The admin key may do everything")
    func adminKey() async throws {
        try await OperatorParty.with { party in
            var browser = OperatorBrowser(party.caller)
            _ = try await browser.post("/console/sign-in", ["key": party.adminKey.rawValue])
            _ = try await browser.get("/console")
            for path in ConsolePath.allCases where !Self.open.contains(path) && path != .signOut {
                let answers = [
                    try await browser.get(ConsolePath.root + path.rawValue),
                    try await browser.post(ConsolePath.root + path.rawValue),
                ]
                #expect(!answers.contains { $0.status == .forbidden }, "\(path)")
            }
        }
    }

    @Test("Links, buttons and sections that a role cannot use are not shown")
    func shown() async throws {
        try await OperatorParty.with { party in
            let alice = try Fixture.alice()
            let phone = try await party.phone(of: alice, .viewer)
            _ = try await party.store.putApp(TestApp.new("web"), replacing: nil, by: .operator)
            var browser = OperatorBrowser(party.caller)
            try await browser.signIn(phone)
            let device = "/console/device?user=alice&id=\(phone.id.rawValue)"
            func links() async throws -> Set<String> {
                var found: Set<String> = []
                for address in [
                    "/console", "/console/user?id=alice", device, "/console/apps", "/console/app?id=web",
                    "/console/policy/of?app=web",
                ] {
                    let page = try await browser.get(address)
                    #expect(page.status == .ok, "\(address)")
                    for match in page.text.matches(of: /(?:href|action)="\/console([^"?]*)/) {
                        found.insert(String(match.output.1))
                    }
                }
                return found
            }
            let byRole: [(OperatorRole, [String])] = [
                (.viewer, []), (.support, ["/device/block", "/device/rename"]),
                (.security, ["/device/revoke", "/user/export", "/policy/of"]),
                (.owner, ["/user/delete", "/apps/add", "/app/change", "/app/remove", "/operators"]),
            ]
            let restricted = byRole.flatMap(\.1).filter { $0 != "/policy/of" }
            var expected: Set<String> = []
            for (role, more) in byRole {
                try await party.set(role, of: alice)
                expected.formUnion(more)
                #expect(try await links().intersection(restricted) == expected.subtracting(["/policy/of"]), "\(role)")
                let policy = try await browser.get("/console/policy/of?app=web").text
                #expect(policy.contains(">Change policy</button>") == expected.contains("/policy/of"), "\(role)")
            }
        }
    }

    @Test("An action carries the name of the operator and the reason, and without a reason nothing happens")
    func reasons() async throws {
        try await OperatorParty.with { party in
            let alice = try Fixture.alice()
            let phone = try await party.phone(of: alice, .security)
            let bob = try await party.caller.newSession(of: Fixture.bob())
            var browser = OperatorBrowser(party.caller)
            try await browser.signIn(phone)
            let fields = ["user": "bob", "id": bob.id.rawValue]
            let page = try await browser.get("/console/device/block?user=bob&id=\(bob.id.rawValue)").text
            #expect(page.contains("<input id=\"reason\" name=\"reason\" required"))
            for reason in [nil, "", String(repeating: "x", count: 201), "a\u{202E}b"] {
                let sent = reason.map { fields.merging(["reason": $0]) { $1 } } ?? fields
                let refused = try await browser.post("/console/device/block", sent)
                #expect(refused.status == .unprocessableContent && refused.heading == "A reason is missing")
            }
            #expect(try await party.store.device(bob.id, of: bob.user)?.stop == nil)
            let done = try await browser.post(
                "/console/device/block", fields.merging(["reason": "ticket 4711"]) { $1 })
            #expect(done.status == .seeOther)
            let event = try #require(try await party.events(.deviceBlocked).first)
            #expect(event.actor.kind == .operator && event.actor.name?.rawValue == "Operator alice")
            #expect(event.reason?.rawValue == "ticket 4711")
            let audit = try await browser.get("/console/audit?user=bob").text
            #expect(audit.contains("operator: Operator alice") && audit.contains("ticket 4711"))
            _ = try await browser.post("/console/device/unblock", fields)
            #expect(try await party.events(.deviceUnblocked).map(\.reason) == [nil])
            let exported = try await browser.post("/console/audit/export").text
            #expect(exported.contains("Operator alice"))
        }
    }
}
