import Foundation

extension Array where Element == UInt8 {
    /// The bytes of `data`, a region at a time. Going through them one by one costs a call for each where the kind of data is not
    /// known to the compiler.
    init(copying data: some DataProtocol) {
        // Most data is one region, which then is not looked for.
        if let copy = data.withContiguousStorageIfAvailable({ unsafe Self($0) }) {
            self = copy
            return
        }
        unsafe self.init(unsafeUninitializedCapacity: data.count) { memory, count in
            count = unsafe data.copyBytes(to: memory)
        }
    }

    /// As ``init(copying:)-(DataProtocol)``, for what most data is.
    init(copying data: Data) {
        self.init(data)
    }

    /// Costs nothing.
    init(copying bytes: Self) {
        self = bytes
    }
}
