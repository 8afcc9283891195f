import Dispatch
import Foundation

/// The decoders of a package that are fuzzed: each has a name, by which the environment chooses it.
public protocol FuzzTargets: RawRepresentable<String>, Sendable {
    /// Gives the decoder `input` and checks what it makes of it against a reference that shares no code with it.
    ///
    /// - Returns: Whether the decoder accepts it.
    /// - Throws: ``FuzzFinding``, if something is accepted that the reference refuses or read as something else. A
    ///   refusal is none, unless the reference accepts.
    @discardableResult
    func check(_ input: [UInt8]) async throws(FuzzFinding) -> Bool
}

extension FuzzTargets {
    /// The target that the variable `FUZZ_TARGET` names: one program serves all.
    public static var ofEnvironment: Self {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
        guard let target = Self(rawValue: name) else { preconditionFailure("FUZZ_TARGET names no target: \(name)") }
        return target
    }

    /// Gives the decoder the input that libFuzzer made. Ends the process when an invariant is broken, which libFuzzer
    /// takes for a crash: it keeps the input.
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
        // The fuzzer's own thread waits, none of those that tasks run on.
        isDone.wait()
        return 0
    }
}
