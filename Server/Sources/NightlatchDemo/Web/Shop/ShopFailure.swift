/// The reason why the shop does not log a user in.
package struct ShopFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }

    static func require(_ condition: Bool, _ description: String) throws(ShopFailure) {
        guard condition else { throw ShopFailure(description) }
    }
}
