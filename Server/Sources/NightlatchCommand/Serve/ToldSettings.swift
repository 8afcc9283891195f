import Configuration
import NightlatchProgram

/// Settings in order of precedence: flags, environment, configuration file.
struct ToldSettings {
    private let options: ServeOptions?
    private let file: ServeFile?

    /// Reads the configuration file, if a flag or the environment names one.
    ///
    /// - Parameter options: The flags of `nightlatch serve`; nil for a command without them.
    init(_ options: ServeOptions? = nil) throws(CommandFailure) {
        self.options = options
        let path = options?.config ?? CommandVariable.config.value
        file = try path.map { path throws(CommandFailure) in try ServeFile(path: path) }
    }

    /// Returns the value of `setting`; nil if it is not set.
    subscript(setting: ServeSetting) -> ToldValue? {
        if let value = Self.value(setting, flag: options?.text(of: setting)) { return value }
        guard let file, let text = file.values[setting] else { return nil }
        return ToldValue(setting: setting, text: text, source: .file(path: file.path))
    }

    /// Returns the value of `setting`, or `text` if it is not set.
    subscript(setting: ServeSetting, default text: String) -> ToldValue {
        self[setting] ?? ToldValue(setting: setting, text: text, source: .flag)
    }

    /// Returns a setting for a command other than `serve`: from its flag, else from the environment, else `text`. Such
    /// a command reads no configuration file.
    static func value(_ setting: ServeSetting, flag: String?, default text: String) -> ToldValue {
        value(setting, flag: flag) ?? ToldValue(setting: setting, text: text, source: .flag)
    }

    private static var environment: ConfigReader {
        ConfigReader(provider: EnvironmentVariablesProvider().prefixKeys(with: "nightlatch"))
    }

    private static func value(_ setting: ServeSetting, flag: String?) -> ToldValue? {
        if let flag { return ToldValue(setting: setting, text: flag, source: .flag) }
        guard let text = environment.string(forKey: ConfigKey(setting.rawValue)) else { return nil }
        return ToldValue(setting: setting, text: text, source: .environment)
    }
}
