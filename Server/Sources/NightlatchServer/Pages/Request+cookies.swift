import HTTPTypes
import Hummingbird
import NightlatchRelyingParty

extension Request {
    /// Returns the value of the cookie `name`; nil if there is none.
    ///
    /// Several such cookies that differ also give nil. One of them may come from another host, which can set cookies
    /// for the whole domain.
    func cookie(named name: String) -> String? {
        let start = Array((name + "=").utf8)
        var found: String?
        for header in headers[values: .cookie] {
            for pair in header.utf8.split(separator: UInt8(ascii: ";")) {
                let pair = pair.drop { $0 == UInt8(ascii: " ") }
                guard pair.starts(with: start) else { continue }
                let value = String(decoding: pair.dropFirst(start.count), as: UTF8.self)
                guard found?.isExactly(value) ?? true else { return nil }
                found = value
            }
        }
        return found
    }
}
