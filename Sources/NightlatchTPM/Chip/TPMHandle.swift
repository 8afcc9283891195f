import CTSS2

/// An object or a session in the TPM, flushed when its owner is done with it. It must not outlive its connection.
@safe
struct TPMHandle: ~Copyable {
    let number: ESYS_TR
    private let context: OpaquePointer

    init(_ number: ESYS_TR, in connection: borrowing TPMConnection) {
        self.number = number
        unsafe context = connection.context
    }

    deinit {
        // Where this fails the connection is gone, and the resource manager flushes what was in it.
        _ = unsafe Esys_FlushContext(context, number)
    }

    /// Tells the library what authorises the object.
    func authorize(_ authorization: borrowing TPMAuthorization) throws(TPMError) {
        unsafe try authorization.withTPM2B { auth throws(TPMError) in
            try TPMResponse.check(unsafe Esys_TR_SetAuth(context, number, auth))
        }
    }

    /// Overwrites the library's copy of what authorises the object; it would free it as it is.
    func forgetAuthorization() {
        var zeros = TPM2B_AUTH()
        _ = unsafe Esys_TR_SetAuth(context, number, &zeros)
    }
}
