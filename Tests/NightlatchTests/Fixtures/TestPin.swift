/// PINs of six digits that are not common.
enum TestPin {
    static let right = "482915"
    static let wrong = "739164"
    static let new = "605837"
    static let newest = "948276"
    static let another = "583027"
}
