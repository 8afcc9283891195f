import Crypto
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Printed values")
struct PrintedValuesTests {
    /// 32 times 167, or `p6enp6en…` in base64.
    private static let bytes = [UInt8](repeating: 167, count: 32)
    private static let text = "correct-horse-battery"

    @Test("A value with a secret shows nothing of it when it is printed, dumped or reflected")
    func secrecy() async throws {
        func pin() throws -> Pin { try Pin(digits: SecretBytes(copying: Array("295038".utf8))) }
        let url = try #require(URL(string: "https://id.example/login?code=\(Self.text)"))
        let vault = Vault(
            store: MemoryStore(), clock: ManualClock(),
            configuration: VaultConfiguration(keyDerivation: .cheap, keyDerivationBounds: .forTests))
        let open = try await vault.create(with: pin())
        try await open.set(SecretBytes(copying: Self.bytes), named: "seed")
        let values: [Any] = [
            PinBox(try pin()), PinAnswer.pin(PinBox(try pin())), CreatePinAnswer.pin(PinBox(try pin())), vault, open,
            StoredRecord(revision: 1, bytes: Self.bytes),
            HTTPTransportRequest(
                method: "POST", url: url, headers: ["Authorization": Self.text], body: Data(Self.text.utf8)),
            HTTPTransportRequest(method: "POST", url: url, headers: [:], body: Data(Self.bytes)),
            HTTPTransportResponse(status: 200, body: Data(Self.text.utf8)),
            HTTPTransportResponse(status: 200, body: Data(Self.bytes)),
            HTTPTransportResponse(status: 302, headers: ["Location": "app:/?code=\(Self.text)"], body: Data()),
            HardenedPin(
                key: SymmetricKey(data: Self.bytes),
                guess: HardenedGuess(id: .random(), window: try #require(PinWindow(rawValue: 1))),
                charged: try #require(PinGuessIDs([])), triesLeft: nil),
        ]
        for value in values {
            for text in texts(of: [value]) {
                #expect(!text.contains(Self.text) && !text.contains("295038"), "\(type(of: value))")
                // As a list, as elements of a dump, in hexadecimal and in base64.
                for form in ["167, 167", "- 167", "a7a7", "A7A7", "p6en"] {
                    #expect(!text.contains(form), "\(type(of: value)) as \(form)")
                }
            }
        }
    }

    @Test("The stores, keys and clocks of the platform can be printed")
    func platform() throws {
        let values: [Any] = [
            FileStore(path: "a/b"), SoftwareDeviceKeys(folder: "a"), SystemLockoutClock(),
            Vault(store: FileStore(path: "a/b"), clock: SystemLockoutClock()),
        ]
        for value in values { for text in texts(of: value) { #expect(!text.isEmpty) } }
    }

    private func texts(of value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        let children = Mirror(reflecting: value).children.map { "\($0)" }
        return [String(describing: value), String(reflecting: value), dumped] + children
    }
}
