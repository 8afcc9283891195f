import Crypto
import Foundation
import Nightlatch
import NightlatchTesting
import Testing

@Suite("Recovery phrase")
struct RecoveryPhraseTests {
    private static let accepted = BIP39Vector.all.filter { $0.wordCount != 18 }
    private static let eighteenWords = BIP39Vector.all.filter { $0.wordCount == 18 }

    @Test("There are 24 reference vectors, eight of each of three lengths")
    func vectorCount() {
        #expect(BIP39Vector.all.map(\.wordCount).sorted() == [12, 18, 24].flatMap { Array(repeating: $0, count: 8) })
    }

    @Test("The reference vectors are reproduced, in both directions", arguments: accepted)
    func vectors(vector: BIP39Vector) throws {
        let made = try RecoveryPhrase(entropy: Hex.decode(vector.entropy))
        #expect(made.text == vector.words)
        let typed = try RecoveryPhrase(vector.words)
        let (wordCount, entropy) = (typed.wordCount, Hex.encode(typed.entropy))
        #expect(wordCount.rawValue == vector.wordCount && entropy == vector.entropy)
        let seed = try typed.seed(passphrase: SecretBytes(copying: Array(BIP39Vector.passphrase.utf8)))
        #expect(Hex.encode(seed) == vector.seed)
    }

    @Test("Phrases of eighteen words are refused, although they are valid in BIP-39", arguments: eighteenWords)
    func otherLengths(vector: BIP39Vector) {
        #expect(throws: RecoveryPhraseError.wordCount(18, unknown: [])) { _ = try RecoveryPhrase(vector.words) }
    }

    @Test("The words are those of BIP-39, byte for byte and in the same order")
    func wordList() throws {
        // The first eleven bits determine the first word.
        let words = try (0..<2_048).map { index in
            let bits = UInt16(index) << 5
            return try RecoveryPhrase(
                entropy: [UInt8(bits >> 8), UInt8(truncatingIfNeeded: bits)] + Array(repeating: 0, count: 14)
            ).word(at: 1)
        }
        let file = Data(words.map { $0 + "\n" }.joined().utf8)
        #expect(
            Hex.encode(SHA256.hash(data: file)) == "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda")
        #expect(try Data(contentsOf: URL(filePath: BIP39Vector.wordListPath)) == file)
    }

    @Test("Phrases are random, and a shown phrase can be typed", arguments: RecoveryPhrase.WordCount.allCases)
    func random(wordCount: RecoveryPhrase.WordCount) throws {
        var texts: Set<String> = []
        for _ in 0..<100 {
            let phrase = RecoveryPhrase.random(wordCount: wordCount)
            let text = phrase.text
            #expect(text.split(separator: " ").count == wordCount.rawValue)
            let typed = try RecoveryPhrase(text)
            let isEqual = typed.entropy.isEqual(to: phrase.entropy)
            #expect(isEqual)
            texts.insert(text)
        }
        #expect(texts.count == 100)
    }

    @Test("Twelve words are the default")
    func defaultLength() {
        let positions = RecoveryPhrase.random().positions
        #expect(positions == 1...12)
    }

    #if os(Linux) || os(macOS)
    @Test(
        "Python derives the same words, seeds and recovery keys from random entropy",
        .enabled(if: Python.isInstalled, "needs python3"))
    func againstPython() throws {
        var generator = SeededGenerator(seed: 39)
        let inputs = (0..<200).map { number in
            (0..<(number % 2 == 0 ? 16 : 32)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
        let answers = try Python.run(
            BIP39Oracle.script, input: BIP39Vector.wordListPath + "\n" + inputs.map { Hex.encode($0) + "\n" }.joined())
        let ours = try inputs.map { entropy in
            let phrase = try RecoveryPhrase(RecoveryPhrase(entropy: entropy).text)
            let seed = try phrase.seed()
            let publicKey = try phrase.recoveryKeys().readable.publicKey.rawRepresentation
            return "\(phrase.text),\(Hex.encode(seed)),\(Hex.encode(publicKey))"
        }
        #expect(ours == answers.split(separator: "\n").map(String.init))
    }
    #endif

    @Test("Another passphrase gives another seed, and the same passphrase the same seed")
    func passphrase() throws {
        let phrase = RecoveryPhrase.random()
        let plain = try phrase.seed()
        let empty = try phrase.seed(passphrase: SecretBytes(copying: []))
        let one = try phrase.seed(passphrase: SecretBytes(copying: Array("one".utf8)))
        let again = try phrase.seed(passphrase: SecretBytes(copying: Array("one".utf8)))
        #expect(Hex.encode(plain) == Hex.encode(empty))
        #expect(Hex.encode(one) == Hex.encode(again))
        #expect(Hex.encode(one) != Hex.encode(plain))
    }

    @Test("The same phrase gives the same recovery key, and another phrase another key")
    func recoveryKey() throws {
        let phrase = RecoveryPhrase.random()
        let key = try phrase.recoveryKeys().hidden
        let typed = try RecoveryPhrase(phrase.text).recoveryKeys().hidden
        let other = try RecoveryPhrase.random().recoveryKeys().hidden
        #expect(key.rawRepresentation == typed.rawRepresentation)
        #expect(key.publicKey.rawRepresentation != other.publicKey.rawRepresentation)
    }
}
