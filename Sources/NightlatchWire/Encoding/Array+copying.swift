import Foundation

extension Array where Element == UInt8 {
    /// Creates an array with the bytes of `data`, copying one region at a time.
    ///
    /// Where the compiler does not know the kind of data, an iteration would make a call for each byte.
    init(copying data: some DataProtocol) {
        // Most data is one region.
        if let copy = data.withContiguousStorageIfAvailable({ unsafe Self($0) }) {
            self = copy
            return
        }
        unsafe self.init(unsafeUninitializedCapacity: data.count) { memory, count in
            count = unsafe data.copyBytes(to: memory)
        }
    }

    /// Same as ``init(copying:)-(DataProtocol)``, for the most frequent kind of data.
    init(copying data: Data) {
        self.init(data)
    }

    /// Returns the array itself, without a copy.
    init(copying bytes: Self) {
        self = bytes
    }
}
