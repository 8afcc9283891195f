/// The PINs among the 100 most frequent ones that no other rule of ``PinShape`` finds.
///
/// The sources for four digits are two published counts (Amitay, "Most Common iPhone Passcodes", 2011, and a list
/// sorted by frequency in SecLists). The source for six digits is the six-digit passwords in a published count of ten
/// million passwords (Burnett, 2015); its top ten contain those of Markert et al.
enum PopularPins {
    static func contains(_ number: Int, digitCount: Int) -> Bool {
        switch digitCount {
        case 4: fourDigits.contains(number)
        case 6: sixDigits.contains(number)
        default: false
        }
    }

    /// Leading zeros are omitted.
    private static let fourDigits: Set = [1, 7, 70, 1000, 1233, 1235, 1245, 1318, 1324, 4200, 5150, 5683, 7410, 8520]
    private static let sixDigits: Set = [
        123451, 123465, 128500, 135790, 141627, 159632, 246810, 314159, 315475, 362436, 420247, 787898, 906090,
    ]
}
