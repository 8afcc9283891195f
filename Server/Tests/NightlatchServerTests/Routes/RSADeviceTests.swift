import CryptoExtras
import HummingbirdTesting
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Devices with RSA keys")
struct RSADeviceTests {
    private static let algorithms: [SignatureAlgorithm] = [.rs256, .rs384, .rs512]

    private static func device(_ algorithm: SignatureAlgorithm) throws -> TestDevice {
        var device = TestDevice()
        device.key = .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048))
        device.algorithm = algorithm
        return device
    }

    @Test(
        "An RSA key is bound, logs in and decides with the algorithm of its binding only",
        arguments: StoreKind.allCases, algorithms)
    func story(kind: StoreKind, algorithm: SignatureAlgorithm) async throws {
        let device = try Self.device(algorithm)
        try await kind.with { store in
            try await TestRelyingParty.with(store) { caller in
                let alice = try Fixture.alice()
                let id = try await caller.bind(device, to: alice)
                let grant = try await caller.logIn(device, id: id, user: alice).message(TokenGrant.self)
                let session = TestSession(device: device, id: id, user: alice, token: grant.accessToken)
                let details = try TestTransaction.details()
                for _ in 0..<2 { _ = try await caller.create(details, id: .random(), for: alice) }
                let pending = try await caller.pending(session)
                try #require(pending.count == 2)

                for other in Self.algorithms where other != algorithm {
                    var changed = device
                    changed.algorithm = other
                    try await caller.logIn(changed, id: id, user: alice).expectOAuthError(
                        .invalidGrant, .messageRefused)
                    let decision = try await caller.answer(
                        .confirm, to: pending[0],
                        TestSession(device: changed, id: id, user: alice, token: grant.accessToken))
                    try await caller.finish(decision).expectProblem(.messageRefused, 403)
                }
                let decision = try await caller.answer(.confirm, to: pending[0], session)
                #expect(try await caller.finish(decision).message(DecisionResult.self).state == .confirmed)
            }
        }
    }

    @Test("An RSA key opens an epoch of its PIN with the algorithm of its binding only", arguments: StoreKind.allCases)
    func pin(kind: StoreKind) async throws {
        let device = try Self.device(.rs256)
        try await kind.with { store in
            try await TestRelyingParty.with(store) { caller in
                let alice = try Fixture.alice()
                let id = try await caller.bind(device, to: alice)
                var pin = TestPin(device: device, id: id, user: alice, issuer: caller.issuer)
                for other in Self.algorithms where other != device.algorithm {
                    pin.device.algorithm = other
                    let refused = try await caller.open(.first, of: pin, by: device.key)
                    try refused.expectProblem(.messageRefused, 403)
                }
                pin.device.algorithm = device.algorithm
                let enrolled = try await caller.changeEpoch(of: &pin, digits: "295038", by: device.key)
                #expect(enrolled.offer.epoch == .first)
            }
        }
    }

    @Test("To use another algorithm, the key must be bound again", arguments: StoreKind.allCases)
    func again(kind: StoreKind) async throws {
        let device = try Self.device(.rs256)
        try await kind.with { store in
            try await TestRelyingParty.with(store) { caller in
                let alice = try Fixture.alice()
                let id = try await caller.bind(device, to: alice)
                var changed = device
                changed.algorithm = .rs512
                #expect(try await caller.bind(changed, to: alice) == id)
                try await caller.logIn(device, id: id, user: alice).expectOAuthError(.invalidGrant, .messageRefused)
                _ = try await caller.logIn(changed, id: id, user: alice).message(TokenGrant.self)
            }
        }
    }
}
