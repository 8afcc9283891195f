import Configuration

/// What a command was told: what a flag says goes before the environment, and that before the file of settings.
struct ToldSettings {
    private let options: ServeOptions?
    private let file: ServeFile?

    /// Reads the file of settings, if flags or environment name one.
    ///
    /// - Parameter options: The flags of `nightlatch serve`; nil for a command that has others.
    init(_ options: ServeOptions? = nil) throws(CommandFailure) {
        self.options = options
        let path = options?.config ?? Self.environment.string(forKey: "config")
        file = try path.map { path throws(CommandFailure) in try ServeFile(path: path) }
    }

    /// What was told of `setting`; nil if nothing was.
    subscript(setting: ServeSetting) -> ToldValue? {
        if let value = Self.value(setting, flag: options?.text(of: setting)) { return value }
        guard let file, let text = file.values[setting] else { return nil }
        return ToldValue(setting: setting, text: text, source: .file(path: file.path))
    }

    /// As above, with what holds where nothing was told.
    subscript(setting: ServeSetting, default text: String) -> ToldValue {
        self[setting] ?? ToldValue(setting: setting, text: text, source: .flag)
    }

    /// What a command beside the server was told, which reads no file of settings: what its flag says, else the environment, else
    /// `text`.
    static func value(_ setting: ServeSetting, flag: String?, default text: String) -> ToldValue {
        value(setting, flag: flag) ?? ToldValue(setting: setting, text: text, source: .flag)
    }

    /// A secret that stands in the environment, by the name that it would have in a file: that lies open to more people than a secret
    /// may.
    static func secret(_ name: String) -> String? {
        environment.string(forKey: ConfigKey(name), isSecret: true)
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
