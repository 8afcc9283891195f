import Nightlatch
import NightlatchPlatform
import NightlatchTesting

extension InterceptedPinParty {
    /// A connection that loses one request or its answer. From then on nothing passes, as if the network were down.
    ///
    /// - Parameters:
    ///   - base: The server.
    ///   - lost: The number of the request, counted from zero, and whether the request or the answer is lost.
    init(_ base: HTTPRelyingParty, losing lost: (call: Int, what: MemoryPinHardener.Fault)) {
        self.init(base) { call in
            call < lost.call ? nil : call == lost.call ? lost.what : .request
        }
    }
}
