/// A parameter of a statement. It is sent in PostgreSQL's binary format, so nothing is quoted or parsed.
enum PostgresValue {
    // Nil is NULL.
    case text(String?)
    case bytes([UInt8])
    case integer(Int?)

    /// The OID of the type, fixed in `pg_type.dat`: text, bytea, int8.
    var typeID: UInt32 {
        switch self {
        case .text: 25
        case .bytes: 17
        case .integer: 20
        }
    }

    var isNull: Bool {
        switch self {
        case .text(nil), .integer(nil): true
        case .text, .bytes, .integer: false
        }
    }
}

/// Parameters in libpq's format: one buffer, and the offset of each parameter.
struct PostgresParameters {
    private var buffer: [UInt8] = []
    private var offsets: [Int?] = []
    private(set) var lengths: [Int32] = []
    let formats: [Int32]

    init(_ values: [PostgresValue]) {
        for value in values {
            let start = buffer.count
            offsets.append(value.isNull ? nil : start)
            switch value {
            case .text(let text): buffer.append(contentsOf: (text ?? "").utf8)
            case .bytes(let bytes): buffer.append(contentsOf: bytes)
            case .integer(let integer):
                guard let integer else { break }
                let number = UInt64(bitPattern: Int64(integer))
                for shift in stride(from: 56, through: 0, by: -8) {
                    buffer.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
                }
            }
            lengths.append(Int32(buffer.count - start))
        }
        // A null pointer means NULL, so an empty parameter at the end needs an address, too.
        buffer.append(0)
        formats = [Int32](repeating: 1, count: values.count)
    }

    /// Calls `body` with pointers to the parameters. The pointers are valid until `body` returns.
    func withPointers<Value>(_ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value) -> Value {
        unsafe buffer.withUnsafeBytes { bytes in
            let pointers = unsafe offsets.map { offset in
                unsafe offset.flatMap { offset in
                    unsafe bytes.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
                }
            }
            return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
        }
    }
}
