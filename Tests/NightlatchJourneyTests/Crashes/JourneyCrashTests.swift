import Nightlatch
import NightlatchJourney
import NightlatchTesting
import Testing

@Suite("Crashes during a binding by journey")
struct JourneyCrashTests {
    /// A device with one key, which has already signed successfully.
    private func phone(_ type: String) async throws -> (phone: JourneyPhone, old: String) {
        let phone = JourneyPhone()
        phone.person.alwaysType("295038")
        let old = try await phone.bind(type).kid
        try await phone.sign()
        phone.registry.repair()
        return (phone, old)
    }

    /// Binds another key in a journey that the server ends with `answer`. Stops at the first error.
    ///
    /// - Returns: The new key's name, if a message with it was sent, and whether every step succeeded.
    private func bind(
        _ phone: JourneyPhone,
        _ type: String,
        _ answer: ScriptedServer.Answer
    ) async throws -> (sent: String?, isWell: Bool) {
        let (callback, node) = try await phone.callback(Callbacks.binding(type), as: DeviceBindingCallback.self)
        guard case .success = await callback.bind() else { return (nil, false) }
        let keyID = try SentMessage(server: callback).keyID
        phone.server.script(answer)
        // If a step is never sent, its scripted answer remains.
        defer { phone.server.endScript() }
        switch await node.next() {
        case let end as SuccessNode: return (keyID, end.unsettledDeviceBinding == nil)
        case let end as ErrorNode: return (keyID, end.unsettledDeviceBinding == nil)
        // The step of the journey was never sent.
        default: return (nil, false)
        }
    }

    private func checkEnd(of phone: JourneyPhone, _ type: String, _ point: CrashPoint) async throws {
        let keyID = try await phone.bind(type).kid
        #expect(try await phone.sign() == keyID, "\(point)")
        let left = try await phone.possessions()
        #expect(left.keys == 1, "\(point)")
        #expect(left.vaults == (type == "APPLICATION_PIN" ? 1 : 0), "\(point)")
        #expect(left.biometricKeys == (type == "BIOMETRIC_ONLY" ? 1 : 0), "\(point)")
    }

    static let types = ["NONE", "APPLICATION_PIN", "BIOMETRIC_ONLY"]

    @Test(
        "After a crash at any point of a binding, a key that the server has signs, and no leftovers remain",
        arguments: types)
    func success(_ type: String) async throws {
        let (rehearsal, _) = try await phone(type)
        _ = try await bind(rehearsal, type, .success)
        let points = try await CrashPoint.forEach(of: rehearsal.registry.callCount) { point in
            let (phone, old) = try await phone(type)
            phone.registry.fail(at: point.call, point.fault)
            let (sent, isWell) = try await bind(phone, type, .success)
            #expect(!isWell, "\(point)")
            phone.registry.repair()
            let signer = try await phone.sign()
            #expect(signer == old || signer == sent, "\(point)")
            try await checkEnd(of: phone, type, point)
        }
        #expect(points >= 20)
        print("crash matrix: binding by journey, \(type): \(points) points")
    }

    @Test("After a crash at any point of a refused binding, the previous key signs", arguments: types)
    func refusal(_ type: String) async throws {
        let (rehearsal, _) = try await phone(type)
        _ = try await bind(rehearsal, type, .refusal)
        _ = try await CrashPoint.forEach(of: rehearsal.registry.callCount) { point in
            let (phone, old) = try await phone(type)
            phone.registry.fail(at: point.call, point.fault)
            let (_, isWell) = try await bind(phone, type, .refusal)
            #expect(!isWell, "\(point)")
            phone.registry.repair()
            #expect(try await phone.sign() == old, "\(point)")
            try await checkEnd(of: phone, type, point)
        }
    }

    @Test("After a crash at any point of a new key's first signature, the same key signs again", arguments: types)
    func proof(_ type: String) async throws {
        let (rehearsal, _) = try await phone(type)
        _ = try await bind(rehearsal, type, .success)
        rehearsal.registry.repair()
        try await rehearsal.sign()
        _ = try await CrashPoint.forEach(of: rehearsal.registry.callCount) { point in
            let (phone, _) = try await phone(type)
            let (sent, _) = try await bind(phone, type, .success)
            let (callback, node) = try await phone.callback(Callbacks.signing(), as: DeviceSigningVerifierCallback.self)
            phone.registry.fail(at: point.call, point.fault)
            await callback.sign()
            phone.server.script(.success)
            if let end = await node.next() as? SuccessNode, callback.failure == nil {
                #expect(end.unsettledDeviceBinding != nil, "\(point)")
            }
            phone.registry.repair()
            #expect(try await phone.sign() == sent, "\(point)")
            try await checkEnd(of: phone, type, point)
        }
    }
}
