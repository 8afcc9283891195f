import Dispatch
import Foundation
import NightlatchWire
import Testing

@Suite("Base64URL")
struct Base64URLTests {
    @Test(
        "Encoding gives the vectors of RFC 4648, section 10, without their padding",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ]
    )
    func vectors(plain: String, encoded: String) {
        #expect(Base64URL.encode(Data(plain.utf8)) == encoded)
        #expect(Base64URL.decode(encoded) == Array(plain.utf8))
    }

    @Test("Bytes of every type are encoded alike, in one region or in several")
    func kinds() {
        func encode(_ bytes: some DataProtocol) -> String { Base64URL.encode(bytes) }
        let bytes = Array(0...UInt8.max)
        var regions = DispatchData.empty
        for part in [bytes[..<100], bytes[100..<101], bytes[101...]] {
            unsafe part.withUnsafeBytes { part in unsafe regions.append(part) }
        }
        #expect(regions.regions.count == 3)
        let text = Base64URL.encode(bytes)
        #expect([encode(bytes), encode(bytes[...]), encode(Data(bytes)), encode(regions)] == [text, text, text, text])
    }

    @Test("The two characters of the URL alphabet are used")
    func urlAlphabet() {
        #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
        #expect(Base64URL.decode("-_8") == [0xFB, 0xFF])
    }

    @Test(
        "Every other encoding of the same bytes is refused",
        arguments: [
            "Zg==", "Zg=", "Zm8=", "=", "====", " Zg", "Zg ", "Z g", "+_8", "-/8",
            "+/8", "Zh", "Zm9", "Zv", "Z", "Zm9vY", "Zm9v!", "Z\u{301}g", "\u{FF3A}g", "\u{212A}A", "Zg%3D",
        ]
    )
    func refuses(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test("Control characters are refused", arguments: ["\0", "\t", "\n", "\r", "\r\n"].map { Array($0.utf8) })
    func refusesControlCharacters(control: [UInt8]) {
        #expect(Base64URL.decode("Zm9v" + String(decoding: control, as: UTF8.self)) == nil)
        #expect(Base64URL.decode("Zm9v" + String(decoding: control, as: UTF8.self) + "YmFy") == nil)
    }

    @Test("Exactly 256 texts of two characters are read: one for each byte")
    func twoCharacters() {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        let decoded = alphabet.flatMap { first in alphabet.compactMap { Base64URL.decode("\(first)\($0)") } }
        #expect(decoded.count == 256)
        #expect(Set(decoded).count == 256)
    }

    @Test("Encoded bytes are decoded again, at every length up to 300 bytes")
    func roundTrip() {
        var generator = SeededGenerator(seed: 4648)
        for count in 0...300 {
            let bytes = generator.bytes(count: count)
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
    }

    @Test("Validation without decoding has the same result")
    func isEncoding() {
        var generator = SeededGenerator(seed: 4649)
        let alphabet = Array("AQgwBZz09-_=+/é ")
        for count in 0...300 {
            let text = Base64URL.encode(generator.bytes(count: count))
            #expect(Base64URL.isEncoding(text))
            let other = String(text.dropLast()) + String(alphabet[count % alphabet.count])
            #expect(Base64URL.isEncoding(other) == (Base64URL.decode(other) != nil), "\(other)")
        }
    }
}
