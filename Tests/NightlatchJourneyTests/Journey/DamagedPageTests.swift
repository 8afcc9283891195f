import Foundation
import Nightlatch
import NightlatchJourney
import NightlatchTesting
import Testing

@Suite("Damaged pages")
struct DamagedPageTests {
    /// A page with a binding and a signature, in which one to three bytes are changed, deleted or inserted.
    private func page(_ generator: inout SeededGenerator) -> String {
        let signing = Callbacks.signing(user: nil).replacing("IDToken1", with: "IDToken2")
        var bytes = Array(#"{"authId":"eyJ.a.b","callbacks":[\#(Callbacks.binding()),\#(signing)]}"#.utf8)
        let alphabet = Array(#"{}[]",:\0123456789-.eE truefalsnIDTokjwxyzABCNOE"#.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            let byte = alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[place] = byte
            case 1: bytes.insert(byte, at: place)
            case 2: bytes.remove(at: place)
            default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("A damaged page crashes nothing, and only its content is signed and sent back", arguments: 0..<4)
    func damaged(_ seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var (bound, refused, unreadable) = (0, 0, 0)
        for _ in 0..<150 {
            let phone = JourneyPhone()
            let page = page(&generator)
            phone.server.script(.answer(status: 200, body: page), .success)
            guard let node = await phone.journey().start("Test") as? ContinueNode else {
                unreadable += 1
                continue
            }
            for callback in node.callbacks {
                if let callback = callback as? DeviceBindingCallback {
                    if case .success = await callback.bind() {
                        bound += 1
                        let message = try SentMessage(server: callback)
                        #expect(message.isSignedByItsKey)
                        #expect(message.claims["sub"] as? String == callback.userId)
                        #expect(message.claims["challenge"] as? String == callback.challenge)
                        #expect(page.contains(callback.userId) || page.contains(#"\"#))
                    } else {
                        refused += 1
                        #expect(throws: SentMessage.Missing.self) { try SentMessage(server: callback) }
                    }
                }
                await (callback as? DeviceSigningVerifierCallback)?.sign()
            }
            _ = await node.next()
            let sent = try JSONSerialization.jsonObject(with: phone.server.requests.last?.body ?? Data())
            #expect(((sent as? [String: Any])?["callbacks"] as? [Any])?.count == node.callbacks.count)
        }
        // Each of the three results has occurred.
        #expect(bound > 10 && refused > 5 && unreadable > 10, "\(bound) \(refused) \(unreadable)")
    }
}
