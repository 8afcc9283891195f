/// Journeys that a file can include by name. They have the same form as in a file.
package enum ReadyMadeJourneys {
    package static let names = ["login", "bind", "sign", "usernameless-sign", "bind-transient"]

    /// The journey of this name; nil if there is none.
    static func journey(_ name: String, applications: Set<String>) throws(JourneyFileError) -> JourneyTree? {
        guard let text = texts[name] else { return nil }
        let reader = JourneyReader(applications: applications)
        return try reader.journey(name, JourneyConfiguration.json(Array(text.utf8)), at: "readyMade." + name)
    }

    private static let credentials = """
        "credentials": {
            "type": "PageNode", "stage": "UsernamePassword",
            "nodes": [{"type": "UsernameCollectorNode"}, {"type": "PasswordCollectorNode"}],
            "outcomes": {"outcome": "check"}}
        """

    private static let texts = [
        "login": """
        {"start": "credentials", "nodes": {\(credentials),
            "check": {"type": "DataStoreDecisionNode", "outcomes": {"true": "success", "false": "failure"}}}}
        """,
        "bind": """
        {"start": "credentials", "nodes": {\(credentials),
            "check": {"type": "DataStoreDecisionNode", "outcomes": {"true": "bind", "false": "failure"}},
            "bind": {"type": "DeviceBindingNode", "outcomes": {
                "success": "success", "failure": "failure", "Unsupported": "failure", "Abort": "failure",
                "Timeout": "failure"}}}}
        """,
        "bind-transient": """
        {"start": "credentials", "nodes": {\(credentials),
            "check": {"type": "DataStoreDecisionNode", "outcomes": {"true": "bind", "false": "failure"}},
            "bind": {"type": "DeviceBindingNode", "postponeDeviceProfileStorage": true, "outcomes": {
                "success": "store", "failure": "failure", "Unsupported": "failure", "Abort": "failure",
                "Timeout": "failure"}},
            "store": {"type": "DeviceBindingStorageNode", "outcomes": {"true": "success", "false": "failure"}}}}
        """,
        "sign": """
        {"start": "name", "nodes": {
            "name": {"type": "UsernameCollectorNode", "outcomes": {"outcome": "sign"}},
            "sign": {"type": "DeviceSigningVerifierNode", "outcomes": {
                "success": "success", "failure": "failure", "noDeviceRegistered": "failure", "keyNotFound": "failure",
                "Unsupported": "failure", "Abort": "failure", "Timeout": "failure", "ClientNotRegistered": "failure"}}}}
        """,
        "usernameless-sign": """
        {"start": "sign", "nodes": {
            "sign": {"type": "DeviceSigningVerifierNode", "outcomes": {
                "success": "success", "failure": "failure", "noDeviceRegistered": "failure", "keyNotFound": "failure",
                "Unsupported": "failure", "Abort": "failure", "Timeout": "failure", "ClientNotRegistered": "failure"}}}}
        """,
    ]
}
