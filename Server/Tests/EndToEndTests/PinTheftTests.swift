import Crypto
import CryptoExtras
import Foundation
import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// Each thief with everything that he has. He knows two digits of the six, so that all PINs he has to try are 10,000; and the PINs are
/// stretched by next to nothing, which only helps him.
@Suite("What thieves find out about a two-party PIN")
struct PinTheftTests {
    private static let pins = (0..<10_000).map { "48" + String(repeating: "0", count: 4 - "\($0)".count) + "\($0)" }

    private func withServer(_ body: (ServerProcess, TemporaryFolder) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder, options: ["--address-rate", "0", "--account-rate", "0"]) { server in
            try await body(server, folder)
        }
    }

    @Test("B1: the control: of a vault without a server the image alone gives up the PIN")
    func control() async throws {
        try await withServer { server, folder in
            let phone = try await TwoPartyPhone(at: server, in: folder, isEnrolled: false)
            let thief = try await PinThief(image: phone.image())
            #expect(try Self.pins.filter { try thief.opensLocally($0) } == [TwoPartyPhone.right])
        }
    }

    @Test(
        "B1: with the local tier the image alone gives up the PIN as well, as the documents say; once it is dropped it does not"
    )
    func localTier() async throws {
        try await withServer { server, folder in
            let phone = try await TwoPartyPhone(at: server, in: folder, offlinePin: .local)
            let thief = try await PinThief(image: phone.image())
            #expect(try Self.pins.filter { try thief.opensLocalTier($0) } == [TwoPartyPhone.right])
            // An app that allows none any more.
            let strict = Vault(
                store: phone.store, clock: phone.clock, keyDerivation: phone.keyDerivation,
                keyDerivationBounds: .forTests, hardener: phone.hardener())
            _ = try await strict.unlock(with: TwoPartyPhone.pin(TwoPartyPhone.right))
            let after = try await PinThief(image: phone.image())
            #expect(try after.hardened.local_tier == nil && !after.opensLocally(TwoPartyPhone.right))
            #expect(try !after.opens(TwoPartyPhone.right, output: []))
        }
    }

    @Test("B1: the image alone tells no PIN from another, nor do the images before and after a change")
    func image() async throws {
        try await withServer { server, folder in
            let phone = try await TwoPartyPhone(at: server, in: folder)
            let before = try await PinThief(image: phone.image())
            try await phone.changePin(to: "487306")
            let after = try await PinThief(image: phone.image())
            // Without the function's output, with none in its place, and with what of the server's key lies on the device.
            for pin in Self.pins {
                #expect(try !before.opensLocally(pin) && !before.opens(pin, output: []))
            }
            let hardened = try #require(before.record.sealed.slots.pin.hardened)
            let known = try #require(Base64URL.decode(hardened.key.public_key))
            for thief in [before, after] {
                for pin in [TwoPartyPhone.right, "487306"] {
                    for output in [[], known, [UInt8](repeating: 0, count: 48)] {
                        #expect(try !thief.opensLocally(pin) && !thief.opens(pin, output: output))
                    }
                }
            }
            // That he tries the right thing: with the server's key the new image opens, and the old one does not any more.
            let key = try #require(try StolenServer(folder: server.folder).key(of: phone.device.device))
            #expect(try after.opens("487306", with: key))
            #expect(try !before.opens(TwoPartyPhone.right, with: key) && !after.opens(TwoPartyPhone.right, with: key))
        }
    }

    @Test(
        "B1: in the server's database there is nothing that is computed from the PIN, not even for who has the master key and the salt"
    )
    func server() async throws {
        try await withServer { server, folder in
            let phone = try await TwoPartyPhone(at: server, in: folder)
            await #expect(throws: UnlockError.self) { try await phone.unlock(TwoPartyPhone.wrong) }
            try await phone.unlock()
            let stolen = StolenServer(folder: server.folder)
            let key = try #require(try stolen.key(of: phone.device.device))
            let thief = try await PinThief(image: phone.image())
            let bytes = try stolen.bytes()
            for pin in [TwoPartyPhone.right, TwoPartyPhone.wrong] {
                for trace in try thief.traces(of: pin, with: key) {
                    for form in [Data(trace), Data(SHA256.hash(data: Data(trace)))] {
                        let texts = [
                            Data(Base64URL.encode(form).utf8),
                            Data(form.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined().utf8),
                        ]
                        for found in [form] + texts { #expect(bytes.range(of: found) == nil) }
                    }
                }
            }
            // That it is looked for in the right place.
            let publicKey = Base64URL.encode(Array(key.publicKey.oprfRepresentation))
            #expect(bytes.range(of: Data(publicKey.utf8)) != nil)
        }
    }

    @Test("B1: image, database and master key of the same time give up the PIN, at the price of one stretching a guess")
    func both() async throws {
        try await withServer { server, folder in
            let phone = try await TwoPartyPhone(at: server, in: folder)
            let key = try #require(try StolenServer(folder: server.folder).key(of: phone.device.device))
            let thief = try await PinThief(image: phone.image())
            // The PINs around the right one: each costs the same, and to try them all takes long in a test that is not optimised.
            let pins = Self.pins[2865..<2965]
            let clock = ContinuousClock()
            let start = clock.now
            #expect(try pins.filter { try thief.opens($0, with: key) } == [TwoPartyPhone.right])
            let each = (clock.now - start) / pins.count
            let rate = AttackCost(of: .default).guessesPerSecond
            print(
                "two-party PIN, image and server stolen: \(each) a guess here beside the stretching; with it, Argon2id, one "
                    + "\(AttackCost(of: .default).benchmark.hardware) tries \(rate) PINs a second")
            // Once the PIN is changed, or the phone revoked, the image needs a key that is gone.
            try await phone.changePin()
            let next = try #require(try StolenServer(folder: server.folder).key(of: phone.device.device))
            #expect(try !thief.opens(TwoPartyPhone.right, with: next))
        }
    }
}
