internal import CNightlatchZeroing
package import Foundation

extension SecretBytes {
    /// A copy for a function of the system that takes nothing else. All that share it share one memory, which is overwritten with zeros
    /// when the last of them lets it go.
    ///
    /// `Data` of a few bytes holds them in itself, where nothing overwrites them: what it is called for here is 32 bytes long.
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
