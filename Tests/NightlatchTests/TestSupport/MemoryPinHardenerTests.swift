import Crypto
import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Hardener in memory")
struct MemoryPinHardenerTests {
    private func scene(limit: Int = 3) async throws -> (MemoryPinHardener, DeviceBinding) {
        let phone = try await TestPhone.bound()
        return (MemoryPinHardener(limit: limit), try #require(try await phone.open.deviceBinding()))
    }

    private func opener(
        _ client: MemoryPinHardenerClient,
        _ binding: DeviceBinding,
        _ code: EnrolmentCode? = nil
    ) async throws -> PinEpochOpener {
        try await client.opener(for: binding, password: SecretBytes(copying: [1]), code: code)
    }

    /// Makes an epoch current.
    private func enrol(
        _ client: MemoryPinHardenerClient,
        _ binding: DeviceBinding,
        _ code: EnrolmentCode? = nil
    ) async throws -> (HardenedEpoch, KnowledgeKey) {
        let (opener, key) = (try await opener(client, binding, code), KnowledgeKey.random())
        let epoch = try await client.open(HardenedDevice(binding), by: opener)
        let answer = try await client.harden(SecretBytes(copying: [1]), for: epoch, in: nil)
        _ = try await client.promote(epoch, guess: answer.guess, knowledgeKey: key, by: opener)
        return (epoch, key)
    }

    private func device() async throws -> HardenedTestDevice {
        let (hardener, binding) = try await scene(limit: 4)
        return HardenedTestDevice(
            HardenedDevice(binding), key: try await opener(hardener.client(), binding).key,
            makeHardener: { hardener.client() })
    }

    @Test("The hardener passes every hardener conformance check", arguments: PinHardenerConformance.allCases)
    func conformance(promise: PinHardenerConformance) async throws {
        try await promise.check(try await device())
    }

    @Test(
        "The hardener passes every check for a relying party's count and codes", arguments: PinCountConformance.allCases
    )
    func count(promise: PinCountConformance) async throws {
        try await promise.check(try await device())
    }

    @Test("A code opens one epoch, or another one that replaces it as candidate")
    func codes() async throws {
        let (hardener, binding) = try await scene()
        let (client, code) = (hardener.client(), EnrolmentCode.random())
        _ = try await enrol(client, binding)
        await #expect(throws: PinHardenerError.codeNeeded) { _ = try await enrol(client, binding) }
        _ = try await client.open(HardenedDevice(binding), by: try await opener(client, binding, code))
        _ = try await enrol(client, binding, code)
        await #expect {
            _ = try await enrol(client, binding, code)
        } throws: { error in
            guard case .refused(let refusal) = error as? PinHardenerError else { return false }
            return refusal.code == .enrolmentCodeRefused
        }
    }

    @Test(
        "The last guess is proved within ten minutes, or all keys are destroyed; a repeated proof has the same answer")
    func lastGuess() async throws {
        let (hardener, binding) = try await scene(limit: 1)
        let client = hardener.client()
        let (epoch, key) = try await enrol(client, binding)
        for (minutes, isProved) in [(10, true), (11, false)] {
            let answer = try await client.harden(SecretBytes(copying: [UInt8(minutes)]), for: epoch, in: nil)
            #expect(answer.triesLeft == 0)
            hardener.advance(by: .seconds(60 * minutes))
            guard isProved else {
                await #expect(throws: PinHardenerError.destroyed) {
                    _ = try await client.prove(answer.guess, own: .none, for: epoch, by: key)
                }
                return
            }
            let next = try await client.prove(answer.guess, own: .none, for: epoch, by: key)
            #expect(try await client.prove(answer.guess, own: .none, for: epoch, by: key) == next)
            await #expect(throws: PinHardenerError.self) {
                _ = try await client.prove(answer.guess, own: .none, for: epoch, by: KnowledgeKey.random())
            }
        }
    }

    @Test("A client with an outdated window asks once more, in the window that the refusal names")
    func window() async throws {
        let (hardener, binding) = try await scene()
        let (epoch, _) = try await enrol(hardener.client(), binding)
        hardener.repair()
        let answer = try await hardener.client().harden(SecretBytes(copying: [2]), for: epoch, in: .first)
        #expect(answer.guess.window == PinWindow.first.next)
        #expect(hardener.callCount == 2)
    }
}
