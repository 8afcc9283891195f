import Foundation

#if canImport(Darwin)
import Darwin
#endif

extension DeviceDescription {
    /// The device on which the app runs.
    static let current = Self(
        model: systemModel, system: systemName,
        version: ProcessInfo.processInfo.operatingSystemVersionString, isSimulator: isSystemSimulator)
}

#if os(macOS)
private let modelName = "hw.model"
private let systemName = "macOS"
#elseif os(visionOS)
private let modelName = "hw.machine"
private let systemName = "visionOS"
#else
private let modelName = "hw.machine"
private let systemName = "iOS"
#endif

#if targetEnvironment(simulator)
private let isSystemSimulator = true
#else
private let isSystemSimulator = false
#endif

private var systemModel: String {
    #if canImport(Darwin)
    var bytes = [CChar](repeating: 0, count: 64)
    var count = bytes.count
    guard unsafe sysctlbyname(modelName, &bytes, &count, nil, 0) == 0 else { return "unknown" }
    return String(decoding: bytes.prefix(count).prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
    return modelName
    #endif
}
