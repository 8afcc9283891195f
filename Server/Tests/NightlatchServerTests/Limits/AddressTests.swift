import NightlatchRelyingParty
import Testing

@Suite("Addresses and address ranges")
struct AddressTests {
    @Test("All spellings of an address are equal")
    func addresses() {
        #expect(IPAddress("127.0.0.1") == IPAddress("::ffff:127.0.0.1"))
        #expect(IPAddress("::1") == IPAddress("0:0:0:0:0:0:0:1"))
        #expect(IPAddress("2001:DB8::1") == IPAddress("2001:db8::0001"))
        #expect(IPAddress("10.0.0.1") != IPAddress("10.0.0.2"))
    }

    @Test(
        "An address written by a proxy may have a port and brackets",
        arguments: [
            ("203.0.113.1", "203.0.113.1"), ("203.0.113.1:50001", "203.0.113.1"), ("2001:db8::1", "2001:db8::1"),
            ("[2001:db8::1]:443", "2001:db8::1"), ("[::ffff:203.0.113.1]:50001", "203.0.113.1"),
            ("[2001:db8::1]", "2001:db8::1"), ("203.0.113.1:", nil),
            ("203.0.113.1:x", nil),
            ("203.0.113.1:+1", nil), ("203.0.113.1:123456", nil), ("203.0.113.1:80:80", nil), ("[203.0.113.1]:80", nil),
            ("[2001:db8::1]443", nil), ("[2001:db8::1", nil), ("2001:db8::1]:443", nil), ("[]", nil), ("[", nil),
            (":80", nil),
            ("", nil), ("unknown", nil), ("_hidden:80", nil), ("203.0.113.1\0:80", nil),
        ] as [(String, String?)])
    func forwardedAddresses(text: String, address: String?) {
        #expect(IPAddress.forwarded(text) == address.flatMap(IPAddress.init))
    }

    @Test(
        "A malformed address is refused",
        arguments: [
            "", " ", "1", "1.2.3", "1.2.3.4.5", "256.0.0.1", "01.2.3.4", "1.2.3.4:80", "[::1]", "::1%lo", "localhost",
            "1.2.3.4 ", "::g", "1.2.3.4\0",
        ]
    )
    func noAddresses(text: String) {
        #expect(IPAddress(text) == nil)
        #expect(AddressRange(text) == nil)
    }

    @Test(
        "A range contains exactly the addresses with its prefix",
        arguments: [
            (
                "10.0.0.0/8", ["10.0.0.0", "10.255.255.255", "::ffff:10.1.2.3"],
                ["11.0.0.0", "9.255.255.255", "::a00:1"]
            ),
            ("192.0.2.7", ["192.0.2.7"], ["192.0.2.6", "192.0.2.8"]),
            ("192.0.2.7/32", ["192.0.2.7"], ["192.0.2.6"]),
            ("0.0.0.0/0", ["0.0.0.0", "255.255.255.255"], ["::", "2001:db8::1"]),
            ("2001:db8::/32", ["2001:db8::", "2001:db8:ffff::1"], ["2001:db9::", "2001:db7:ffff::"]),
            ("2001:db8::/65", ["2001:db8::7fff:0:0:0"], ["2001:db8::8000:0:0:0"]),
            ("::1", ["::1"], ["::", "::2"]), ("::/0", ["::", "1.2.3.4", "ffff::"], []),
        ]
    )
    func ranges(text: String, inside: [String], outside: [String]) throws {
        let range = try #require(AddressRange(text))
        for (texts, isInside) in [(inside, true), (outside, false)] {
            for text in texts {
                let address = try #require(IPAddress(text))
                #expect(range.contains(address) == isInside, "\(text)")
            }
        }
    }

    @Test(
        "A malformed range, or one with bits beyond its prefix, is refused",
        arguments: [
            "10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/+8", "10.0.0.0/8/8", "/8", "10.0.0.0/８",
            "2001:db8::/129", "2001:db8::1/64", "::ffff:10.0.0.0/104",
        ]
    )
    func noRanges(text: String) {
        #expect(AddressRange(text) == nil)
    }
}
