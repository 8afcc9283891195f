internal import CNightlatchZeroing
package import Foundation

extension SecretBytes {
    /// Returns a copy for a system function that takes only `Data`.
    ///
    /// All copies of the value share one memory, which is overwritten with zeros when the last of them is released.
    ///
    /// `Data` of a few bytes stores them inside the value, where nothing overwrites them. The secrets that use this
    /// function are 32 bytes long, which is too long for that.
    package borrowing func sharedData() -> Data {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(byteCount, 1), alignment: 16)
        unsafe withUnsafeBytes { bytes in unsafe memory.copyBytes(from: bytes) }
        guard let start = memory.baseAddress else { return Data() }
        return unsafe Data(
            bytesNoCopy: start, count: byteCount,
            deallocator: .custom { start, count in
                unsafe nightlatch_zero(start, count)
                unsafe start.deallocate()
            })
    }
}
