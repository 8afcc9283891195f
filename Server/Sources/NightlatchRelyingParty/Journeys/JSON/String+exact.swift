extension String {
    /// Whether both are the same text byte for byte. `==` also takes two for one that Unicode calls equivalent, such as K and the sign of the kelvin;
    /// signed names and databases do not.
    package func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// What stands after `start`, if the text begins with it byte for byte.
    func rest(after start: String) -> String? {
        utf8.starts(with: start.utf8) ? String(decoding: utf8.dropFirst(start.utf8.count), as: UTF8.self) : nil
    }
}
