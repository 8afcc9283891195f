/// Callbacks as real servers send them, with the same order of members, outputs and inputs.
enum Callbacks {
    static let userID = "id=8ae8fada-3663-4d37-87c3-f3286d9cb75b,ou=user,o=alpha,ou=services,ou=am-config"
    static let bindingChallenge = "AZrz80IwNkYoXMcmlEBZa29mRwwsGI/PkJb6xLRAZVo="
    static let signingChallenge = "gSP9Qx1tIfj7a/ryMwl4jVWOZRkKErMFyQz8KAWtLdo="

    static func binding(
        _ type: String = "NONE",
        user: String = userID,
        name: String = "gbafal",
        timeout: Int = 60,
        jws: String = "",
        deviceName: String = "",
        deviceID: String = "",
        clientError: String = ""
    ) -> String {
        #"{"type":"DeviceBindingCallback","output":[{"name":"userId","value":"\#(user)"},"#
            + #"{"name":"username","value":"\#(name)"},{"name":"authenticationType","value":"\#(type)"},"#
            + #"{"name":"challenge","value":"\#(bindingChallenge)"},{"name":"title","value":"Authentication required"},"#
            + #"{"name":"subtitle","value":"Cryptography device binding"},"#
            + #"{"name":"description","value":"Please complete with biometric to proceed"},"#
            + #"{"name":"timeout","value":\#(timeout)},{"name":"attestation","value":true}],"#
            + #""input":[{"name":"IDToken1jws","value":"\#(jws)"},{"name":"IDToken1deviceName","value":"\#(deviceName)"},"#
            + #"{"name":"IDToken1deviceId","value":"\#(deviceID)"},"#
            + #"{"name":"IDToken1clientError","value":"\#(clientError)"}]}"#
    }

    static func signing(
        user: String? = userID,
        challenge: String = signingChallenge,
        timeout: Int = 60,
        jws: String = "",
        clientError: String = ""
    ) -> String {
        #"{"type":"DeviceSigningVerifierCallback","output":[{"name":"userId","value":\#(user.map { "\"\($0)\"" } ?? "null")},"#
            + #"{"name":"challenge","value":"\#(challenge)"},{"name":"title","value":"Authentication required"},"#
            + #"{"name":"subtitle","value":"Cryptography device binding"},"#
            + #"{"name":"description","value":"Please complete with biometric to proceed"},"#
            + #"{"name":"timeout","value":\#(timeout)}],"#
            + #""input":[{"name":"IDToken1jws","value":"\#(jws)"},{"name":"IDToken1clientError","value":"\#(clientError)"}]}"#
    }
}
