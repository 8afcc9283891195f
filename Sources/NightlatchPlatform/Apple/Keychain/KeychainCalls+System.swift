#if canImport(Security)
import Foundation
import Security

extension KeychainCalls {
    /// The Keychain of this device.
    package static let system = Self(
        add: { KeychainStatus(rawValue: SecItemAdd(cfDictionary($0), nil)) },
        copy: { query in
            var result: CFTypeRef?
            let status = unsafe SecItemCopyMatching(cfDictionary(query), &result)
            let found = (result as? NSDictionary).map { item in
                Found(
                    generic: (item[kSecAttrGeneric] as? Data).map { [UInt8]($0) },
                    value: (item[kSecValueData] as? Data).map { [UInt8]($0) })
            }
            return (KeychainStatus(rawValue: status), found)
        },
        update: { KeychainStatus(rawValue: SecItemUpdate(cfDictionary($0), cfDictionary($1))) },
        delete: { KeychainStatus(rawValue: SecItemDelete(cfDictionary($0))) },
        deletionNamesLimit: systemNamesLimit)
}

private func cfDictionary(_ dictionary: KeychainDictionary) -> CFDictionary {
    var translated: [CFString: Any] = [:]
    for (attribute, value) in dictionary { translated[key(attribute)] = object(value) }
    return translated as CFDictionary
}

private func key(_ attribute: KeychainAttribute) -> CFString {
    switch attribute {
    case .class: kSecClass
    case .attrService: kSecAttrService
    case .attrAccount: kSecAttrAccount
    case .attrGeneric: kSecAttrGeneric
    case .attrAccessGroup: kSecAttrAccessGroup
    case .attrAccessible: kSecAttrAccessible
    case .attrSynchronizable: kSecAttrSynchronizable
    case .matchLimit: kSecMatchLimit
    case .returnAttributes: kSecReturnAttributes
    case .returnData: kSecReturnData
    case .useDataProtectionKeychain: kSecUseDataProtectionKeychain
    case .valueData: kSecValueData
    }
}

private func object(_ value: KeychainValue) -> Any {
    switch value {
    case .text(let text): text
    case .bytes(let bytes): Data(bytes)
    case .flag(let flag): flag
    case .constant(let constant): cfString(constant)
    }
}

func cfString(_ constant: KeychainValue.Constant) -> CFString {
    switch constant {
    case .classGenericPassword: kSecClassGenericPassword
    case .attrAccessibleWhenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
    case .attrAccessibleWhenPasscodeSetThisDeviceOnly: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
    case .matchLimitOne: kSecMatchLimitOne
    case .matchLimitAll: kSecMatchLimitAll
    }
}

#if os(macOS)
private let systemNamesLimit = true
#else
private let systemNamesLimit = false
#endif
#endif
