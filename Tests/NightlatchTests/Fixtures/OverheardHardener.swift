import Crypto
import Nightlatch
import NightlatchTesting
import NightlatchWire

/// A hardener that records its last input and output for a test.
struct OverheardHardener: ForwardingHardener {
    let base: any PinHardener
    let heard: Shared<(input: [UInt8], y: [UInt8])?>

    func harden(
        _ input: borrowing SecretBytes,
        for epoch: HardenedEpoch,
        in window: PinWindow?
    ) async throws(PinHardenerError) -> HardenedPin {
        let answer = try await base.harden(input, for: epoch, in: window)
        let said = unsafe input.withUnsafeBytes { unsafe Array($0) }
        let y = unsafe answer.key.withUnsafeBytes { unsafe Array($0) }
        heard.withLock { $0 = (said, y) }
        return answer
    }
}
