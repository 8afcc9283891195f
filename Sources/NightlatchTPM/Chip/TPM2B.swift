import CTSS2

/// Functions `Tss2_MU_…` that convert a structure to its bytes and back.
typealias Marshal<Value> = (UnsafePointer<Value>?, UnsafeMutablePointer<UInt8>?, Int, UnsafeMutablePointer<Int>?) ->
    TSS2_RC
typealias Unmarshal<Value> = (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<Int>?, UnsafeMutablePointer<Value>?) ->
    TSS2_RC

/// Converts structures with a size and bytes: `TPM2B_…`.
enum TPM2B {
    private static let sizeByteCount = 2

    /// Returns the bytes of a structure that the library has allocated, without the size in front, and frees the
    /// structure.
    static func take<Value>(
        _ value: UnsafeMutablePointer<Value>?,
        _ marshal: Marshal<Value>
    ) throws(TPMError) -> [UInt8] {
        let bytes = unsafe try TPMStructure.take(value, marshal)
        guard bytes.count >= sizeByteCount else { throw .unexpected(responseCode: 0) }
        return Array(bytes.dropFirst(sizeByteCount))
    }

    /// Fills `value` with the structure for `bytes`.
    ///
    /// - Throws: ``TPMError/damaged`` if the bytes are no such structure.
    static func value<Value>(
        _ bytes: [UInt8],
        into value: inout Value,
        _ unmarshal: Unmarshal<Value>
    ) throws(TPMError) {
        guard let size = UInt16(exactly: bytes.count) else { throw .damaged }
        let sized = [UInt8(size >> 8), UInt8(truncatingIfNeeded: size)] + bytes
        var offset = 0
        let code = unsafe unmarshal(sized, sized.count, &offset, &value)
        guard code == 0, offset == sized.count else { throw .damaged }
    }
}

/// Converts any structure.
enum TPMStructure {
    private static let byteCountLimit = 4096

    /// Returns the bytes of a structure that the library has allocated, and frees the structure.
    static func take<Value>(
        _ value: UnsafeMutablePointer<Value>?,
        _ marshal: Marshal<Value>
    ) throws(TPMError) -> [UInt8] {
        defer { unsafe Esys_Free(value) }
        var bytes = Array(repeating: UInt8(0), count: byteCountLimit)
        var count = 0
        try TPMResponse.check(unsafe marshal(value, &bytes, byteCountLimit, &count))
        return Array(bytes.prefix(count))
    }
}
