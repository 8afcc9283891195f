/// The device, as the report names it.
public struct DeviceDescription: Codable, Hashable, Sendable {
    /// The system's name for the model, such as `iPhone15,2`.
    public let model: String
    /// The name of the system, such as `iOS`.
    public let system: String
    /// The version with the build, such as `Version 18.1 (Build 22B83)`.
    public let version: String
    public let isSimulator: Bool

    private enum CodingKeys: String, CodingKey {
        case model, system, version
        case isSimulator = "is_simulator"
    }

    public init(model: String, system: String, version: String, isSimulator: Bool) {
        self.model = model
        self.system = system
        self.version = version
        self.isSimulator = isSimulator
    }
}
