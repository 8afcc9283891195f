package import Nightlatch

extension ChipPinHardener {
    package static func secureEnclave(
        name: String,
        service: String,
        accessGroup: String? = nil,
        keychain: KeychainCalls,
        calls: EnclaveCalls
    ) -> ChipPinHardener {
        ChipPinHardener(
            name: name, chip: SecureEnclavePinChip(calls: calls),
            store: KeychainStore(
                service: service, account: "pin-hardener.\(name)", accessGroup: accessGroup, calls: keychain))
    }
}
