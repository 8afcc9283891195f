import NightlatchFuzzReference

private let target = FuzzTarget.ofEnvironment

/// The function that libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ byteCount: Int) -> CInt {
    unsafe target.fuzz(start, byteCount)
}
