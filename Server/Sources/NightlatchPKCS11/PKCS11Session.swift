import CPKCS11

/// A session with a token, in which the user is logged in. It ends with this value's life.
struct PKCS11Session: ~Copyable {
    private let module: PKCS11Module
    private let handle: CK_SESSION_HANDLE

    /// Opens a session and logs in, with one attempt.
    init(_ module: consuming PKCS11Module, uri: PKCS11URI, pin: [UInt8]) throws(PKCS11Error) {
        let slot = try module.slot(of: uri)
        if let error = PKCS11Error(pinFlags: slot.flags) { throw error }
        var handle: CK_SESSION_HANDLE = 0
        try PKCS11Error.check(
            unsafe module.functions.pointee.C_OpenSession(slot.id, CKF_SERIAL_SESSION, nil, nil, &handle),
            "C_OpenSession")
        do throws(PKCS11Error) {
            try Self.logIn(module, handle, pin: pin)
        } catch {
            unsafe _ = module.functions.pointee.C_CloseSession(handle)
            throw error
        }
        self.module = module
        self.handle = handle
    }

    deinit { unsafe _ = module.functions.pointee.C_CloseSession(handle) }

    private static func logIn(
        _ module: borrowing PKCS11Module, _ session: CK_SESSION_HANDLE, pin: [UInt8]
    ) throws(PKCS11Error) {
        var pin = pin
        let result = unsafe module.functions.pointee.C_Login(session, CKU_USER, &pin, CUnsignedLong(pin.count))
        if let error = PKCS11Error(loginResult: result) { throw error }
    }

    /// The one secret key that `uri` means. It must be private: a token gives a private key only to its user.
    func key(_ uri: PKCS11URI) throws(PKCS11Error) -> CK_OBJECT_HANDLE {
        let found = try keys(uri)
        guard let key = found.first else { throw .noKey }
        guard found.count == 1 else { throw .severalKeys }
        var isPrivate: CK_BBOOL = 0
        let result = unsafe withUnsafeMutableBytes(of: &isPrivate) { isPrivate in
            var attribute = unsafe CK_ATTRIBUTE(
                type: CKA_PRIVATE, pValue: isPrivate.baseAddress, ulValueLen: CUnsignedLong(isPrivate.count))
            return unsafe module.functions.pointee.C_GetAttributeValue(handle, key, &attribute, 1)
        }
        try PKCS11Error.check(result, "C_GetAttributeValue")
        guard isPrivate != 0 else { throw .keyNotPrivate }
        return key
    }

    /// At most two of the secret keys that `uri` means.
    private func keys(_ uri: PKCS11URI) throws(PKCS11Error) -> [CK_OBJECT_HANDLE] {
        let functions = unsafe module.functions
        return try unsafe uri.withAttributes { named throws(PKCS11Error) -> [CK_OBJECT_HANDLE] in
            var kind: CK_OBJECT_CLASS = CKO_SECRET_KEY
            return try unsafe withUnsafeMutableBytes(of: &kind) { kind throws(PKCS11Error) in
                var wanted =
                    unsafe named.filter { unsafe $0.type != CKA_CLASS }
                    + [
                        unsafe CK_ATTRIBUTE(
                            type: CKA_CLASS, pValue: kind.baseAddress, ulValueLen: CUnsignedLong(kind.count))
                    ]
                try PKCS11Error.check(
                    unsafe functions.pointee.C_FindObjectsInit(handle, &wanted, CUnsignedLong(wanted.count)),
                    "C_FindObjectsInit")
                defer { unsafe _ = functions.pointee.C_FindObjectsFinal(handle) }
                var found: [CK_OBJECT_HANDLE] = []
                // A library may return fewer keys than it has found; the search ends when it returns none.
                while found.count < 2 {
                    var (next, count): (CK_OBJECT_HANDLE, CUnsignedLong) = (0, 0)
                    try PKCS11Error.check(
                        unsafe functions.pointee.C_FindObjects(handle, &next, 1, &count), "C_FindObjects")
                    guard count > 0 else { break }
                    found.append(next)
                }
                return found
            }
        }
    }

    /// HMAC-SHA256 of `text` under `key`, computed by the token.
    func authenticationCode(of text: [UInt8], under key: CK_OBJECT_HANDLE) throws(PKCS11Error) -> [UInt8] {
        let functions = unsafe module.functions
        var mechanism = unsafe CK_MECHANISM(mechanism: CKM_SHA256_HMAC, pParameter: nil, ulParameterLen: 0)
        let begun = unsafe functions.pointee.C_SignInit(handle, &mechanism, key)
        if let error = PKCS11Error(signingResult: begun) { throw error }
        var text = text
        var code = [UInt8](repeating: 0, count: 32)
        var count = CUnsignedLong(code.count)
        try PKCS11Error.check(
            unsafe functions.pointee.C_Sign(handle, &text, CUnsignedLong(text.count), &code, &count), "C_Sign")
        guard count == code.count else { throw .keyUnusable("its result has \(count) bytes instead of 32") }
        return code
    }
}
