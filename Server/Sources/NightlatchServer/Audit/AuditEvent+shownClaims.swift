extension AuditEvent {
    /// ``claims`` as people are shown them: what cannot be seen, or turns the writing round, is written as JSON's escapes. Who has signed them
    /// has chosen them.
    package var shownClaims: String? {
        claims.map { claims in
            claims.unicodeScalars.map { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
                    Self.escape(scalar)
                default: String(scalar)
                }
            }.joined()
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
