import CTSS2

/// An object or a session in the TPM, flushed when its owner releases it. It must not outlive its connection.
@safe
struct TPMHandle: ~Copyable {
    let number: ESYS_TR
    private let context: OpaquePointer

    init(_ number: ESYS_TR, in connection: borrowing TPMConnection) {
        self.number = number
        unsafe context = connection.context
    }

    deinit {
        // If this fails, the connection is gone, and the resource manager flushes all objects of the connection.
        _ = unsafe Esys_FlushContext(context, number)
    }

    /// Sets the object's authorisation in the library.
    func authorize(_ authorization: borrowing TPMAuthorization) throws(TPMError) {
        unsafe try authorization.withTPM2B { auth throws(TPMError) in
            try TPMResponse.check(unsafe Esys_TR_SetAuth(context, number, auth))
        }
    }

    /// Overwrites the library's copy of the object's authorisation, which the library would free without wiping it.
    func forgetAuthorization() {
        var zeros = TPM2B_AUTH()
        _ = unsafe Esys_TR_SetAuth(context, number, &zeros)
    }
}
