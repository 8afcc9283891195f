import Foundation

/// The system's reference implementation of Argon2id. It is loaded at run time, so that the benchmark does not link to
/// it.
@safe
struct ReferenceArgon2 {
    private typealias HashRaw =
        @convention(c) (
            _ passes: UInt32, _ memoryKibibytes: UInt32, _ lanes: UInt32, _ password: UnsafeRawPointer?,
            _ passwordByteCount: Int,
            _ salt: UnsafeRawPointer?, _ saltByteCount: Int, _ key: UnsafeMutableRawPointer?, _ keyByteCount: Int
        ) -> Int32

    private let hashRaw: HashRaw

    struct Unavailable: Error, CustomStringConvertible {
        let description =
            "the reference libargon2 cannot be loaded: apt-get install libargon2-1, or brew install argon2"
    }

    struct Failed: Error {
        let status: Int32
    }

    /// Loads the library.
    ///
    /// - Throws: ``Unavailable``.
    init() throws {
        let names = ["libargon2.so.1", "libargon2.dylib", "/opt/homebrew/lib/libargon2.dylib"]
        let library = unsafe names.lazy.compactMap { unsafe dlopen($0, RTLD_NOW) }.first
        guard let library = unsafe library, let function = unsafe dlsym(library, "argon2id_hash_raw") else {
            throw Unavailable()
        }
        unsafe hashRaw = unsafeBitCast(function, to: HashRaw.self)
    }

    func key(
        from password: [UInt8], salt: [UInt8], memoryKibibytes: Int, passes: Int, lanes: Int, byteCount: Int
    ) throws -> [UInt8] {
        var key = [UInt8](repeating: 0, count: byteCount)
        let status = unsafe key.withUnsafeMutableBytes { key in
            unsafe password.withUnsafeBytes { password in
                unsafe salt.withUnsafeBytes { salt in
                    unsafe hashRaw(
                        UInt32(passes), UInt32(memoryKibibytes), UInt32(lanes), password.baseAddress, password.count,
                        salt.baseAddress, salt.count, key.baseAddress, key.count)
                }
            }
        }
        guard status == 0 else { throw Failed(status: status) }
        return key
    }
}
