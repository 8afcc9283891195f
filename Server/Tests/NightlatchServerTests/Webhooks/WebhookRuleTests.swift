import Crypto
import Foundation
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The rules of webhooks")
struct WebhookRuleTests {
    @Test("The longest wait doubles from a second to an hour, and the last attempt has none")
    func waits() {
        let longest = (1...14).map { WebhookRetry.wait(after: $0, jitter: 1) }
        let seconds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600]
        #expect(longest == seconds.map { .seconds($0) })
        for attempts in 1..<WebhookRetry.attemptLimit {
            #expect(WebhookRetry.wait(after: attempts, jitter: 0) == .seconds(1))
            #expect(WebhookRetry.wait(after: attempts, jitter: 0.5).map { $0 <= WebhookRetry.ceiling } == true)
        }
        #expect(WebhookRetry.wait(after: 9, jitter: 0.5) == .seconds(128))
        #expect(WebhookRetry.wait(after: WebhookRetry.attemptLimit, jitter: 0) == nil)
        // A broken source of random numbers makes no wait longer.
        #expect(WebhookRetry.wait(after: 3, jitter: 99) == .seconds(4))
        #expect(WebhookRetry.wait(after: 3, jitter: -1) == .seconds(1))
    }

    @Test(
        "A URL is https, or http of this machine, without user information and fragment",
        arguments: [
            ("https://shop.example/events?x=1", true), ("https://10.0.0.1:8443/", true),
            ("http://127.0.0.1:9000/", true), ("http://[::1]/x", true), ("http://localhost", true),
            ("http://shop.example/", false), ("http://127.0.0.1.example/", false), ("https://", false),
            ("https://user@shop.example/", false), ("https://user:pass@shop.example/", false),
            ("https://shop.example/#part", false), ("ftp://shop.example/", false), ("file:///etc/passwd", false),
            ("HTTPS://shop.example/", false), ("https://sh\u{F6}p.example/", false), ("https://a b.example/", false),
            ("shop.example", false), ("", false),
        ])
    func urls(text: String, isAccepted: Bool) {
        #expect((WebhookURL(rawValue: text) != nil) == isAccepted)
        #expect(WebhookURL(rawValue: "https://a/" + String(repeating: "a", count: 2000)) == nil)
    }

    @Test("Each status has one meaning: only 200 to 299 delivers, and redirects are not followed")
    func statuses() {
        #expect([200, 202, 204, 299].allSatisfy { WebhookFailure(status: $0) == nil })
        let others = [100, 199, 300, 302, 308, 400, 404, 409, 410, 429, 500, 503, 600].map(WebhookFailure.init(status:))
        #expect(
            others == [
                .failed, .failed, .redirected, .redirected, .redirected, .refused, .refused, .refused, .gone, .refused,
                .failed, .failed, .failed,
            ])
    }

    @Test("A webhook is read as it was written; events of a later version stay, mistakes do not")
    func document() throws {
        var webhook = try TestWebhook.new([.loggedIn, .deviceBound], signature: .ed25519)
        webhook.pause = .gone
        webhook.secrets = [webhook.secrets[0], webhook.secrets[0]]
        webhook.secrets[1].until = TestTime.current
        let text = StoredWebhook(webhook: webhook, revision: 1).document
        #expect(try StrictJSON.decode(Webhook.self, from: Array(text.utf8)) == webhook)
        let later = text.replacing("\"logged_in\"", with: "\"logged_in\",\"of_a_later_version\"")
        #expect(later != text)
        var newer = try StrictJSON.decode(Webhook.self, from: Array(later.utf8))
        #expect(newer.kinds == webhook.kinds && newer.subscriptions.contains("of_a_later_version"))
        // Another change, such as a pause, keeps them; a new choice of events replaces them.
        #expect(StoredWebhook(webhook: newer, revision: 1).document == later)
        newer.kinds = webhook.kinds
        #expect(newer == webhook)
        for (old, new) in [("\"gone\"", "\"other\""), ("ed25519", "rsa"), ("https:", "gopher:"), ("\"id\"", "\"ID\"")] {
            let broken = text.replacing(old, with: new)
            #expect(broken != text)
            #expect(throws: StrictJSONError.self) { try StrictJSON.decode(Webhook.self, from: Array(broken.utf8)) }
        }
    }

    @Test(
        "A sealed secret opens under its master key for its webhook only, and shows nothing",
        arguments: WebhookSignature.allCases)
    func secrets(signature: WebhookSignature) throws {
        let (id, secret) = (WebhookID.random(), WebhookSecret.random(signature))
        let sealed = try #require(secret.sealed(of: id, under: TestWebhook.masterKey))
        let opened = try #require(WebhookSecret(sealed, signature, of: id, under: TestWebhook.masterKey))
        #expect(opened.forReceiver == secret.forReceiver)
        #expect(WebhookSecret(sealed, signature, of: .random(), under: TestWebhook.masterKey) == nil)
        #expect(WebhookSecret(sealed, signature, of: id, under: .random()) == nil)
        #expect("\(secret)" == "(webhook secret)" && Mirror(reflecting: secret).children.isEmpty)
        #expect(secret.forReceiver.hasPrefix(signature == .hmac ? "whsec_" : "whpk_"))
        #expect((sealed.publicKey == nil) == (signature == .hmac))
    }

    @Test("A message has the signature of each secret, made over its id, the time and the body")
    func headers() throws {
        let entry = AuditEntry(
            chain: .random(), sequence: 7, at: TestTime.current,
            event: AuditEvent(.loggedIn, by: .device, user: try Fixture.alice()))
        let message = WebhookMessage(entry)
        let secrets = [WebhookSecret.random(.ed25519), .random(.hmac)]
        let headers = try #require(message.headers(signedBy: secrets, at: NumericDate(secondsSince1970: 1234)))
        #expect(headers.map(\.name) == ["webhook-id", "webhook-signature", "webhook-timestamp"])
        #expect(headers[0].value == "evt_\(entry.chain)_7" && headers[2].value == "1234")
        let signatures = headers[1].value.split(separator: " ").map { $0.split(separator: ",") }
        #expect(signatures.map { $0[0] } == ["v1a", "v1"])
        let content = Data("\(message.id).1234.".utf8) + message.body
        func bytes(_ text: some StringProtocol) throws -> Data { try #require(Data(base64Encoded: String(text))) }
        let key = try Curve25519.Signing.PublicKey(rawRepresentation: bytes(secrets[0].forReceiver.dropFirst(5)))
        #expect(key.isValidSignature(try bytes(signatures[0][1]), for: content))
        let hmac = SymmetricKey(data: try bytes(secrets[1].forReceiver.dropFirst(6)))
        #expect(
            HMAC<SHA256>.isValidAuthenticationCode(try bytes(signatures[1][1]), authenticating: content, using: hmac))
        #expect(message.headers(signedBy: [], at: TestTime.current) == nil)
    }

    @Test("The new secret signs first, and the previous one until the overlap ends")
    func rotation() throws {
        let webhook = try TestWebhook.new()
        func rotated(_ webhook: Webhook, _ overlap: Duration) throws -> Webhook {
            try #require(
                webhook.rotatingSecret(under: TestWebhook.masterKey, overlap: overlap, at: TestTime.current)
            ).webhook
        }
        let once = try rotated(webhook, .seconds(60))
        #expect(once.secrets.count == 2 && once.secrets[1].box == webhook.secrets[0].box)
        #expect(once.secrets[0].signs(at: TestTime.current + .seconds(9999)))
        #expect(once.secrets[1].signs(at: TestTime.current + .seconds(59)))
        #expect(!once.secrets[1].signs(at: TestTime.current + .seconds(60)))
        let twice = try rotated(once, .seconds(60))
        #expect(twice.secrets.map(\.box).dropFirst() == [once.secrets[0].box])
        #expect(try rotated(twice, .zero).secrets.count == 1)
    }
}
