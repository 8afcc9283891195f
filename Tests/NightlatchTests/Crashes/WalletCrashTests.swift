import Nightlatch
import NightlatchTesting
import Testing

/// The device crashes before, in or after any call of the store; then it starts again.
@Suite("Crash matrix of wallet keys")
struct WalletCrashTests {
    enum Operation: CaseIterable {
        case create, importKey, remove, sign, signWrongPin
    }

    @Test(
        "After a crash at any point each key is complete or missing, and no wrong attempt is forgotten",
        arguments: Operation.allCases, StoreKind.allCases)
    func crash(operation: Operation, kind: StoreKind) async throws {
        let rehearsal = try await Scene(kind)
        _ = await rehearsal.run(operation)
        let points = try await CrashPoint.forEach(of: rehearsal.store.callCount) { point in
            let scene = try await Scene(kind)
            scene.store.fail(at: point.call, point.fault)
            #expect(await scene.run(operation) != nil, "\(operation) did not notice a crash \(point)")
            scene.store.repair()
            let situation: Comment = "\(operation), crash \(point)"
            let failures = try await scene.place.store.failures()
            // A charged attempt stays charged, unless it was right and completed.
            let possible = operation == .sign ? [0, 1, 2] : operation == .signWrongPin ? [1, 2] : [1]
            #expect(possible.contains(failures), situation)

            let keys = try await scene.open.walletKeys()
            var possibleNames: [[WalletKeyName]] = [["kept", "other"]]
            switch operation {
            case .create, .importKey: possibleNames.append(["kept", "new", "other"])
            case .remove: possibleNames.append(["kept"])
            case .sign, .signWrongPin: break
            }
            #expect(possibleNames.contains(keys.map(\.name)), situation)
            #expect(keys.first == scene.kept, situation)
            for key in keys {
                let signature = try await scene.vault.sign([1], with: key.name, TestPin.right)
                #expect(WalletSignature(key: key, signed: [1], signature: signature).isValid, situation)
            }
        }
        print("crash matrix: wallet keys, \(operation) over \(kind): \(points) points")
        #expect(points >= 6)
    }

    /// A vault with two wallet keys and one wrong attempt.
    private struct Scene {
        let place: TestStore
        let store: FaultyStore
        let vault: Vault
        let open: OpenVault
        let kept: WalletPublicKey

        init(_ kind: StoreKind) async throws {
            (place, store) = kind.makeFaulty()
            vault = .forTests(store)
            open = try await vault.create(TestPin.right)
            kept = try await open.createWalletKey(named: "kept", kind: .ed25519)
            try await open.createWalletKey(named: "other", kind: .p256)
            await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
            store.repair()
        }

        func run(_ operation: Operation) async -> (any Error)? {
            do {
                switch operation {
                case .create: try await open.createWalletKey(named: "new", kind: .p256)
                case .importKey:
                    let known = KnownWalletKey.all[0]
                    try await open.importWalletKey(known.privateKey, named: "new", kind: known.kind)
                case .remove: try await open.removeWalletKey(named: "other")
                case .sign: _ = try await vault.sign([1], with: "kept", TestPin.right)
                case .signWrongPin: _ = try await vault.sign([1], with: "kept", TestPin.wrong)
                }
                return nil
            } catch {
                return error
            }
        }
    }
}
