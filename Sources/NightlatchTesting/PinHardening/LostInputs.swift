import Foundation
import Nightlatch
import NightlatchWire

/// The inputs that a process sent and that got no answer. Each keeps its request id, so that a repetition is the same
/// guess.
struct LostInputs: Sendable {
    private struct Lost: Sendable {
        let epoch: HardenedEpoch
        let input: [UInt8]
        let request: UUID
        let time: Duration
    }

    private var all: [Lost] = []

    func request(of input: [UInt8], for epoch: HardenedEpoch, at now: Duration) -> UUID? {
        live(epoch, at: now).first { $0.input == input }?.request
    }

    func contains(_ epoch: HardenedEpoch, at now: Duration) -> Bool { !live(epoch, at: now).isEmpty }

    mutating func lose(_ input: [UInt8], for epoch: HardenedEpoch, _ request: UUID, at now: Duration) {
        forget(input, for: epoch)
        all.append(Lost(epoch: epoch, input: input, request: request, time: now))
    }

    mutating func forget(_ input: [UInt8], for epoch: HardenedEpoch) {
        all.removeAll { $0.epoch == epoch && $0.input == input }
    }

    /// Forgets the inputs of a device after its window has ended: repeating one would be a new guess.
    mutating func forget(of device: DeviceID) {
        all.removeAll { $0.epoch.device.device == device }
    }

    private func live(_ epoch: HardenedEpoch, at now: Duration) -> [Lost] {
        all.filter { $0.epoch == epoch && now <= $0.time + MemoryPinState.lastGuessLife }
    }
}
