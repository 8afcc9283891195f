import CPKCS11

/// The loaded library of a token. It is unloaded at the end of this value's life.
///
/// Safe: the pointer to the library's functions is valid as long as the value, which cannot be copied.
@safe
struct PKCS11Module: ~Copyable {
    let functions: UnsafeMutablePointer<CK_FUNCTION_LIST>

    /// - Throws: ``PKCS11Error`` `library` if the file cannot be loaded; `failed` if it does not begin to work, because
    ///   its token cannot be reached for example.
    init(path: String) throws(PKCS11Error) {
        let library = try PKCS11Library(at: path)
        guard let functions = unsafe p11_kit_module_load(library.path, 0) else {
            throw .library(unsafe p11_kit_message().map { unsafe String(cString: $0) } ?? "it cannot be loaded")
        }
        do throws(PKCS11Error) {
            try PKCS11Error.check(unsafe p11_kit_module_initialize(functions), "C_Initialize")
        } catch {
            unsafe p11_kit_module_release(functions)
            throw error
        }
        unsafe self.functions = unsafe functions
    }

    deinit {
        unsafe p11_kit_module_finalize(functions)
        unsafe p11_kit_module_release(functions)
    }

    /// The slot of the one token that `uri` means, and the token's flags.
    func slot(of uri: PKCS11URI) throws(PKCS11Error) -> (id: CK_SLOT_ID, flags: CK_FLAGS) {
        var found: [(id: CK_SLOT_ID, flags: CK_FLAGS)] = []
        for id in try slots() {
            var token = CK_TOKEN_INFO()
            // A token that was removed since the slots were listed is not the one.
            guard unsafe functions.pointee.C_GetTokenInfo(id, &token) == CKR_OK else { continue }
            if try uri.matches(&token) { found.append((id, token.flags)) }
        }
        guard let first = found.first else { throw .noToken }
        guard found.count == 1 else { throw .severalTokens }
        return first
    }

    private func slots() throws(PKCS11Error) -> [CK_SLOT_ID] {
        // A library tells the number of slots first. A token can be inserted between the two calls.
        var count: CUnsignedLong = 0
        try PKCS11Error.check(unsafe functions.pointee.C_GetSlotList(1, nil, &count), "C_GetSlotList")
        var slots = [CK_SLOT_ID](repeating: 0, count: Int(count) + 8)
        count = CUnsignedLong(slots.count)
        try PKCS11Error.check(unsafe functions.pointee.C_GetSlotList(1, &slots, &count), "C_GetSlotList")
        return Array(slots.prefix(Int(count)))
    }
}
