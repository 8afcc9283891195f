import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The bodies of webhooks’ messages")
struct WebhookMessageTests {
    private func body(_ event: AuditEvent) -> String {
        let entry = AuditEntry(chain: .random(), sequence: 1, at: TestTime.current, event: event)
        return String(decoding: WebhookMessage(entry).body, as: UTF8.self)
    }

    @Test("The body has the kind, the time and the facts of the event, and no signed claims")
    func facts() throws {
        let (user, device) = (try Fixture.alice(), DeviceID.random())
        var event = AuditEvent(.deviceBound, by: .device, user: user, device: device)
        event.client = .default
        event.claims = "amount"
        #expect(
            body(event) == """
                {"data":{"actor":"device","client":"\(ClientID.default)","device":"\(device)","user":"alice"},\
                "timestamp":"2027-01-15T08:00:00Z","type":"device_bound"}
                """)
    }

    @Test("A transaction and a login that wait have push payloads with nothing but their kind and the transaction’s id")
    func push() throws {
        let id = TransactionID.random()
        let transaction = AuditEvent(.transactionCreated, by: .backend, user: try Fixture.alice(), transaction: id)
        #expect(
            body(transaction) == """
                {"data":{"actor":"backend","push":{"apns":{"aps":{"alert":{"loc-key":"nightlatch_transaction_waits"},\
                "content-available":1,"sound":"default"},"nightlatch_transaction":"\(id)",\
                "nightlatch_waiting":"transaction"},"fcm":{"android":{"priority":"high"},\
                "data":{"nightlatch_transaction":"\(id)","nightlatch_waiting":"transaction"}}},"transaction":"\(id)",\
                "user":"alice"},"timestamp":"2027-01-15T08:00:00Z","type":"transaction_created"}
                """)
        let login = body(AuditEvent(.remoteLoginRequested, by: .server, user: try Fixture.alice()))
        #expect(login.contains(#""alert":{"loc-key":"nightlatch_login_waits"}"#))
        #expect(login.contains(#""data":{"nightlatch_waiting":"remote_login"}"#))
    }

    @Test("Nothing is pushed about a login that the device itself has opened, and about other events")
    func noPush() throws {
        let alice = try Fixture.alice()
        #expect(!body(AuditEvent(.remoteLoginRequested, by: .device, user: alice)).contains("push"))
        for kind in AuditEvent.Kind.allCases where ![.transactionCreated, .remoteLoginRequested].contains(kind) {
            #expect(!body(AuditEvent(kind, by: .server, user: alice)).contains("push"))
        }
    }

    @Test("Events of one user have one order, whatever the device; those of a deleted user that of the pseudonym")
    func orders() throws {
        let (alice, device) = (try Fixture.alice(), DeviceID.random())
        func order(_ event: AuditEvent, _ sequence: Int = 1) -> String {
            event.deliveryOrder(at: AuditPlace(chain: "chain", sequence: sequence))
        }
        #expect(order(AuditEvent(.loggedIn, by: .device, user: alice, device: device)) == "alice")
        #expect(order(AuditEvent(.transactionCreated, by: .backend, user: alice)) == "alice")
        #expect(order(AuditEvent(.deviceBound, by: .device, device: device)) == device.rawValue)
        #expect(order(AuditEvent(.appRegistered, by: .operator)) == "")
        let test = AuditEvent(.webhookTested, of: .random(), by: .operator)
        #expect(order(test) != order(test, 2) && UserID(rawValue: order(test)) == nil)
        let reason = try #require(AuditReason(rawValue: "ticket"))
        let deletion = UserDeletion()
        #expect(
            order(AuditEvent(deleted: deletion, by: .operator, because: reason))
                == deletion.pseudonym.rawValue)
    }
}
