import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Exported heads of the audit log")
struct ExportedAuditHeadTests {
    private let masterKey = MasterKey.random()
    private let head = AuditHead(chain: .random(), sequence: 7, hash: .random())

    @Test("A signed head is read back with the key that every process derives")
    func readBack() throws {
        let line = try AuditKey(masterKey: masterKey).sign(head, at: TestTime.current)
        let exported = try ExportedAuditHead(line, signedBy: AuditKey(masterKey: masterKey).publicKey)
        #expect(exported.head == head && exported.issuedAt == TestTime.current)
    }

    @Test("A head signed by another key, a changed head and a malformed line are refused")
    func refused() throws {
        let key = AuditKey(masterKey: masterKey)
        let line = try key.sign(head, at: TestTime.current)
        let other = AuditKey(masterKey: .random()).publicKey
        #expect(throws: ExportedAuditHead.Refusal.wrongSignature) {
            try ExportedAuditHead(line, signedBy: other)
        }
        let parts = line.split(separator: ".")
        let forged = try key.sign(
            AuditHead(chain: head.chain, sequence: 6, hash: head.hash), at: TestTime.current
        ).split(separator: ".")
        #expect(throws: ExportedAuditHead.Refusal.wrongSignature) {
            try ExportedAuditHead("\(parts[0]).\(forged[1]).\(parts[2])", signedBy: key.publicKey)
        }
        for text in ["", "a.b.c", String(line.dropLast(10)), "{}"] {
            #expect(throws: ExportedAuditHead.Refusal.self) { try ExportedAuditHead(text, signedBy: key.publicKey) }
        }
    }

    @Test("An access token is not accepted as a head, although it is signed")
    func otherType() throws {
        let issuer = try #require(
            TokenIssuer(relyingParty: Fixture.issuer(), life: .seconds(300), keys: [TokenSigningKey.random()]))
        let token = try issuer.accessToken(
            user: Fixture.alice(), device: .random(), client: .default, session: .random(),
            authentication: Fixture.authentication, possessionKey: .random(), now: TestTime.current)
        #expect(throws: ExportedAuditHead.Refusal.self) {
            try ExportedAuditHead(token.rawValue, signedBy: try #require(issuer.publicKeys.first))
        }
    }
}
