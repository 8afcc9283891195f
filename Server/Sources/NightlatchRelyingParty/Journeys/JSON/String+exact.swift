extension String {
    /// Whether both texts have the same bytes.
    ///
    /// `==` treats canonically equivalent texts as equal, such as K and the Kelvin sign. Signatures and databases treat
    /// them as different.
    package func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// The rest of the text after `start`, if the text begins with its bytes.
    func rest(after start: String) -> String? {
        utf8.starts(with: start.utf8) ? String(decoding: utf8.dropFirst(start.utf8.count), as: UTF8.self) : nil
    }
}
