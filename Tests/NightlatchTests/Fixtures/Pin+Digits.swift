import Nightlatch

extension Pin {
    init(_ digits: String) throws(PinFormatError) {
        try self.init(digits: SecretBytes(copying: Array(digits.utf8)))
    }
}
