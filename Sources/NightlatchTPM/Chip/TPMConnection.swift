import CTSS2
import Glibc

/// An open TPM. Only one thread may use it at a time. It is closed when its owner releases it.
@safe
struct TPMConnection: ~Copyable {
    /// The context for the functions `Esys_…`; valid while this value exists.
    let context: OpaquePointer
    private let interface: OpaquePointer

    init(interface name: String) throws(TPMError) {
        var interface: OpaquePointer?
        let opened = unsafe Tss2_TctiLdr_Initialize(name, &interface)
        guard opened == 0, let interface = unsafe interface else { throw Self.reason(opened, for: name) }
        var context: OpaquePointer?
        let made = unsafe Esys_Initialize(&context, interface, nil)
        guard made == 0, let context = unsafe context else {
            var interface: OpaquePointer? = unsafe interface
            unsafe Tss2_TctiLdr_Finalize(&interface)
            throw TPMResponse(code: made).error
        }
        unsafe self.context = context
        unsafe self.interface = interface
    }

    deinit {
        var context: OpaquePointer? = unsafe context
        unsafe Esys_Finalize(&context)
        var interface: OpaquePointer? = unsafe interface
        unsafe Tss2_TctiLdr_Finalize(&interface)
    }

    /// Returns the error for a device that did not open. The library does not give the reason, so this asks the system.
    private static func reason(_ code: TSS2_RC, for name: String) -> TPMError {
        let device = "device:"
        guard name.hasPrefix(device) else { return .unreachable(responseCode: code) }
        guard unsafe access(String(name.dropFirst(device.count)), R_OK | W_OK) != 0 else {
            return .unreachable(responseCode: code)
        }
        switch errno {
        case ENOENT, ENOTDIR, ENXIO, ENODEV: return .noTPM
        case EACCES, EPERM: return .notPermitted
        default: return .unreachable(responseCode: code)
        }
    }
}
