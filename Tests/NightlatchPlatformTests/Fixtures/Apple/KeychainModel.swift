import Nightlatch
import NightlatchPlatform
import NightlatchTesting

/// A Keychain in memory with the status codes of the real one, as documented. What an app may not ask is refused (`errSecParam`), more
/// strictly than by the real one, which takes some of it for something else. Copies of the value are processes that share it.
struct KeychainModel: Sendable {
    enum System: CaseIterable, Sendable {
        case iOS, macOS
    }

    /// What happens at a call instead of, or after, what it does.
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
        /// The call from which on everything fails, and how it fails itself.
        var cut: (call: Int, fault: Fault)?
        /// The call that alone fails.
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

    /// Lets the app use an access group beside its own.
    func entitle(_ group: String) { state.withLock { _ = $0.groups.insert(group) } }

    /// With the passcode go all items that need one.
    func removePasscode() {
        state.withLock { state in
            state.hasPasscode = false
            state.items.removeAll { $0.accessible == .attrAccessibleWhenPasscodeSetThisDeviceOnly }
        }
    }

    /// Fails the next calls, one fault each.
    func fail(_ faults: Fault...) { state.withLock { $0.faults += faults } }

    /// Fails the `call`-th call from now, counted from zero, and every one after it, as for a process that dies there.
    func failFrom(call: Int, _ fault: Fault) {
        state.withLock { $0.cut = ($0.callCount + call, fault) }
    }

    /// Fails the `call`-th call from now, counted from zero, and no other.
    func failOnce(call: Int, _ fault: Fault) {
        state.withLock { $0.single = ($0.callCount + call, fault) }
    }

    /// Works again.
    func repair() {
        state.withLock { state in
            state.cut = nil
            state.single = nil
        }
    }

    /// Changes what is there past the app, as another version of it or a damaged disk would.
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

    /// Which attributes say where to search, and of what kind their values are.
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

    /// What every call must say: the class, that nothing is synchronized, and on a Mac which Keychain is meant.
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

    /// A locked device has put the key of these classes away; without a passcode one of them has none.
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
        // To be told is an error where all is meant anyhow, and to be told nothing means one item where it is not.
        guard system == .macOS || query[.matchLimit] == nil else { return .parameter }
        var indices = indices(of: query)
        if system == .macOS, query[.matchLimit] != .constant(.matchLimitAll) { indices = Array(indices.prefix(1)) }
        guard !indices.isEmpty else { return .itemNotFound }
        items = items.enumerated().filter { !indices.contains($0.offset) }.map(\.element)
        return .success
    }
}
