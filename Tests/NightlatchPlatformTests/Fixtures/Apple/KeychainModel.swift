import Nightlatch
import NightlatchPlatform
import NightlatchTesting

/// A model of a Keychain, in memory, with the documented status codes.
///
/// It is stricter than the real Keychain: it refuses (`errSecParam`) calls that the real one would interpret in another
/// way. Copies of the value are processes that share the Keychain.
struct KeychainModel: Sendable {
    enum System: CaseIterable, Sendable {
        case iOS, macOS
    }

    /// The status of a call, returned without doing the call or after doing it.
    enum Fault: Hashable, Sendable {
        case before(KeychainStatus)
        case after(KeychainStatus)
    }

    struct Item: Hashable, Sendable {
        let service: String
        let account: String
        let group: String
        var generic: [UInt8]?
        var value: [UInt8]
        var accessible: KeychainValue.Constant
    }

    struct State {
        var items: [Item] = []
        var isLocked = false
        var hasPasscode = true
        var groups: Set<String> = [Self.ownGroup]
        var faults: [Fault] = []
        var callCount = 0
        /// The call from which on every call fails, and the fault of the first.
        var cut: (call: Int, fault: Fault)?
        /// The only call that fails.
        var single: (call: Int, fault: Fault)?

        static let ownGroup = "own"
    }

    let system: System
    private let state = Shared(State())

    init(_ system: System = .iOS) {
        self.system = system
    }

    var items: [Item] { state.withLock { $0.items } }
    var callCount: Int { state.withLock { $0.callCount } }

    func setLocked(_ isLocked: Bool) { state.withLock { $0.isLocked = isLocked } }

    /// Lets the app use an access group in addition to its own.
    func entitle(_ group: String) { state.withLock { _ = $0.groups.insert(group) } }

    /// Removes the passcode, and with it all items that need one.
    func removePasscode() {
        state.withLock { state in
            state.hasPasscode = false
            state.items.removeAll { $0.accessible == .attrAccessibleWhenPasscodeSetThisDeviceOnly }
        }
    }

    /// Fails the next calls, one fault each.
    func fail(_ faults: Fault...) { state.withLock { $0.faults += faults } }

    /// Fails the `call`-th call from now, counted from zero, and every later one, as for a process that dies there.
    func failFrom(call: Int, _ fault: Fault) {
        state.withLock { $0.cut = ($0.callCount + call, fault) }
    }

    /// Fails the `call`-th call from now, counted from zero, and no other.
    func failOnce(call: Int, _ fault: Fault) {
        state.withLock { $0.single = ($0.callCount + call, fault) }
    }

    /// Ends all faults.
    func repair() {
        state.withLock { state in
            state.cut = nil
            state.single = nil
        }
    }

    /// Changes the items without the app, as another version of the app or a damaged disk would.
    func plant(_ change: (inout [Item]) -> Void) {
        state.withLock { state in change(&state.items) }
    }

    var calls: KeychainCalls {
        KeychainCalls(
            add: { attributes in perform { $0.add(attributes, on: system) } },
            copy: { query in
                var found: KeychainCalls.Found?
                let status = perform { $0.copy(query, on: system, into: &found) }
                return (status, status == .success ? found : nil)
            },
            update: { query, changes in perform { $0.update(query, changes, on: system) } },
            delete: { query in perform { $0.delete(query, on: system) } },
            deletionNamesLimit: system == .macOS)
    }

    private func perform(_ call: (inout State) -> KeychainStatus) -> KeychainStatus {
        state.withLock { state in
            defer { state.callCount += 1 }
            switch state.nextFault() {
            case .before(let status): return status
            case .after(let status):
                _ = call(&state)
                return status
            case nil: return call(&state)
            }
        }
    }
}

extension KeychainModel.State {
    fileprivate mutating func nextFault() -> KeychainModel.Fault? {
        if let cut, callCount >= cut.call { return callCount == cut.call ? cut.fault : .before(.io) }
        if let single, callCount == single.call { return single.fault }
        return faults.isEmpty ? nil : faults.removeFirst()
    }

    /// Checks that the query has the attributes that locate an item, each with the right kind of value.
    private static func isWellFormed(_ dictionary: KeychainDictionary, with others: Set<KeychainAttribute>) -> Bool {
        let places: Set<KeychainAttribute> = [
            .class, .attrService, .attrAccount, .attrAccessGroup, .attrSynchronizable, .useDataProtectionKeychain,
        ]
        guard Set(dictionary.keys).isSubset(of: places.union(others)) else { return false }
        return dictionary.allSatisfy { attribute, value in
            switch (attribute, value) {
            case (.class, .constant(.classGenericPassword)), (.attrService, .text), (.attrAccount, .text),
                (.attrAccessGroup, .text), (.attrGeneric, .bytes), (.valueData, .bytes), (.attrSynchronizable, .flag),
                (.useDataProtectionKeychain, .flag), (.returnData, .flag), (.returnAttributes, .flag),
                (.matchLimit, .constant(.matchLimitOne)), (.matchLimit, .constant(.matchLimitAll)),
                (.attrAccessible, .constant(.attrAccessibleWhenUnlockedThisDeviceOnly)),
                (.attrAccessible, .constant(.attrAccessibleWhenPasscodeSetThisDeviceOnly)):
                true
            default: false
            }
        }
    }

    /// Checks the required attributes of every call: the class, no synchronization, and on a Mac which Keychain is
    /// meant.
    private func refusal(
        of query: KeychainDictionary,
        on system: KeychainModel.System,
        with others: Set<KeychainAttribute>
    ) -> KeychainStatus? {
        guard Self.isWellFormed(query, with: others), query[.class] != nil, query[.attrService] != nil,
            query[.attrSynchronizable] == .flag(false),
            system == .iOS || query[.useDataProtectionKeychain] == .flag(true)
        else { return .parameter }
        if case .text(let group) = query[.attrAccessGroup], !groups.contains(group) { return .missingEntitlement }
        return nil
    }

    private func indices(of query: KeychainDictionary) -> [Int] {
        items.indices.filter { index in
            let item = items[index]
            return query.allSatisfy { attribute, value in
                switch (attribute, value) {
                case (.attrService, .text(let service)): item.service == service
                case (.attrAccount, .text(let account)): item.account == account
                case (.attrAccessGroup, .text(let group)): item.group == group
                case (.attrGeneric, .bytes(let generic)): item.generic == generic
                default: true
                }
            }
        }
    }

    /// A locked device cannot use the keys of these classes; without a passcode, one class has no key.
    private func refusal(of accessible: KeychainValue.Constant) -> KeychainStatus? {
        if isLocked { return .interactionNotAllowed }
        return accessible == .attrAccessibleWhenPasscodeSetThisDeviceOnly && !hasPasscode ? .authFailed : nil
    }

    fileprivate mutating func add(_ attributes: KeychainDictionary, on system: KeychainModel.System) -> KeychainStatus {
        let own: Set<KeychainAttribute> = [.attrGeneric, .attrAccessible, .valueData]
        if let refusal = refusal(of: attributes, on: system, with: own) { return refusal }
        guard case .text(let service) = attributes[.attrService], case .text(let account) = attributes[.attrAccount],
            case .bytes(let value) = attributes[.valueData],
            case .constant(let accessible) = attributes[.attrAccessible]
        else { return .parameter }
        if let refusal = refusal(of: accessible) { return refusal }
        var group = Self.ownGroup
        if case .text(let named) = attributes[.attrAccessGroup] { group = named }
        guard !items.contains(where: { $0.service == service && $0.account == account && $0.group == group }) else {
            return .duplicateItem
        }
        var item = KeychainModel.Item(
            service: service, account: account, group: group, value: value, accessible: accessible)
        if case .bytes(let generic) = attributes[.attrGeneric] { item.generic = generic }
        items.append(item)
        return .success
    }

    fileprivate func copy(
        _ query: KeychainDictionary,
        on system: KeychainModel.System,
        into found: inout KeychainCalls.Found?
    ) -> KeychainStatus {
        let own: Set<KeychainAttribute> = [.attrGeneric, .returnData, .returnAttributes, .matchLimit]
        if let refusal = refusal(of: query, on: system, with: own) { return refusal }
        guard query[.matchLimit] == .constant(.matchLimitOne) else { return .parameter }
        guard let index = indices(of: query).first else { return .itemNotFound }
        let returnsData = query[.returnData] == .flag(true)
        if returnsData, let refusal = refusal(of: items[index].accessible) { return refusal }
        found = KeychainCalls.Found(
            generic: query[.returnAttributes] == .flag(true) ? items[index].generic : nil,
            value: returnsData ? items[index].value : nil)
        return .success
    }

    fileprivate mutating func update(
        _ query: KeychainDictionary,
        _ changes: KeychainDictionary,
        on system: KeychainModel.System
    ) -> KeychainStatus {
        if let refusal = refusal(of: query, on: system, with: [.attrGeneric]) { return refusal }
        let changeable: Set<KeychainAttribute> = [.attrGeneric, .attrAccessible, .valueData]
        guard !changes.isEmpty, Set(changes.keys).isSubset(of: changeable),
            Self.isWellFormed(changes, with: changeable)
        else { return .parameter }
        let indices = indices(of: query)
        guard !indices.isEmpty else { return .itemNotFound }
        for index in indices {
            var item = items[index]
            if case .constant(let accessible) = changes[.attrAccessible] { item.accessible = accessible }
            if case .bytes(let generic) = changes[.attrGeneric] { item.generic = generic }
            if case .bytes(let value) = changes[.valueData] { item.value = value }
            if let refusal = refusal(of: item.accessible) { return refusal }
            items[index] = item
        }
        return .success
    }

    fileprivate mutating func delete(_ query: KeychainDictionary, on system: KeychainModel.System) -> KeychainStatus {
        if let refusal = refusal(of: query, on: system, with: [.attrGeneric, .matchLimit]) { return refusal }
        // On iOS a deletion means all items, and a match limit is an error. On a Mac a deletion without a limit means
        // one item.
        guard system == .macOS || query[.matchLimit] == nil else { return .parameter }
        var indices = indices(of: query)
        if system == .macOS, query[.matchLimit] != .constant(.matchLimitAll) { indices = Array(indices.prefix(1)) }
        guard !indices.isEmpty else { return .itemNotFound }
        items = items.enumerated().filter { !indices.contains($0.offset) }.map(\.element)
        return .success
    }
}
