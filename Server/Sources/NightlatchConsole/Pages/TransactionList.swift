import NightlatchRelyingParty
import NightlatchWire

/// The list of transactions: its filter and place in an address.
struct TransactionList {
    static let filterNames = ["state", "user", "until"]

    let filter: TransactionFilter
    let until: ListTime?
    let position: TimePosition?
    let kept: [Fact]

    init(_ fields: ListFields) throws(ConsoleRefusal) {
        until = try fields.value("until", ListTime.init)
        filter = TransactionFilter(
            state: try fields.value("state", TransactionState.init),
            user: try fields.value("user", UserID.init), until: until?.end)
        position = try fields.value("before", TimePosition.init)
        kept = fields.kept(Self.filterNames)
    }

    func caption(_ count: BoundedCount) -> String {
        let conditions = [
            filter.state.map { "state: \($0.rawValue)" }, filter.user.map { "user: \($0.rawValue)" },
            until.map { "until \($0.text.replacing("T", with: " "))" },
        ].compactMap(\.self)
        let order = filter.isOrderedByExpiry ? "the one that expires last first" : "newest first"
        return ([count.inWords("transaction", "transactions")] + conditions + [order]).joined(separator: ", ")
    }
}
