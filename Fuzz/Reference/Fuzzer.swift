import Dispatch
import Foundation

/// The decoders of a package that are fuzzed. The environment chooses one by its name.
public protocol FuzzTargets: RawRepresentable<String>, Sendable {
    /// Gives the decoder `input` and compares the result with a reference that shares no code with the decoder.
    ///
    /// - Returns: Whether the decoder accepts the input.
    /// - Throws: ``FuzzFinding`` if the decoder accepts an input that the reference refuses, reads another value, or
    ///   refuses an input that the reference accepts.
    @discardableResult
    func check(_ input: [UInt8]) async throws(FuzzFinding) -> Bool
}

extension FuzzTargets {
    /// The target that the environment variable `FUZZ_TARGET` names. One program serves all targets.
    public static var ofEnvironment: Self {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
        guard let target = Self(rawValue: name) else { preconditionFailure("FUZZ_TARGET names no target: \(name)") }
        return target
    }

    /// Gives the decoder the input that libFuzzer made.
    ///
    /// Ends the process if the input breaks an invariant. libFuzzer takes that for a crash and keeps the input.
    public func fuzz(_ start: UnsafePointer<UInt8>?, _ byteCount: Int) -> CInt {
        let input = unsafe Array(UnsafeBufferPointer(start: start, count: byteCount))
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                try await check(input)
            } catch {
                preconditionFailure("broken invariant: \(error)")
            }
            isDone.signal()
        }
        // The fuzzer's own thread waits. The threads that run tasks do not.
        isDone.wait()
        return 0
    }
}
