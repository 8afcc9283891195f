import Dispatch
import Foundation

/// The target that the environment names: one program serves all.
private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else { preconditionFailure("FUZZ_TARGET names no target: \(name)") }
    return target
}()

/// What libFuzzer calls with every input. Ends the process when an invariant is broken, which libFuzzer takes for a crash: it keeps the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ byteCount: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: byteCount))
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
        do {
            try await target.check(input)
        } catch {
            preconditionFailure("broken invariant: \(error)")
        }
        isDone.signal()
    }
    // The fuzzer's own thread waits, none of those that tasks run on.
    isDone.wait()
    return 0
}
