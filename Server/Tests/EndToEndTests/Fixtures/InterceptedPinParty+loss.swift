import Nightlatch
import NightlatchPlatform
import NightlatchTesting

extension InterceptedPinParty {
    /// A way on which one request is lost, or its answer; and from then on nothing comes through, as where the network is gone.
    ///
    /// - Parameters:
    ///   - base: The server.
    ///   - lost: Which request, counted from zero, and what of it.
    init(_ base: HTTPRelyingParty, losing lost: (call: Int, what: MemoryPinHardener.Fault)) {
        self.init(base) { call in
            call < lost.call ? nil : call == lost.call ? lost.what : .request
        }
    }
}
