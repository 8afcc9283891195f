import NightlatchRelyingParty
import NightlatchWire

extension OpenAPIOperations {
    static let apps = [
        OpenAPIOperation(
            route: .apps, name: "listApps", summary: "The registered apps in short, in the order of their ids.",
            details: "Without secrets and keys. At most 1000 apps.",
            caller: .backend(.appsRead), answer: "AppSummaryList"),
        OpenAPIOperation(
            route: .app, name: "app", summary: "A registered app.",
            details: "The answer can be changed and sent back by `putApp`. It contains no secret.",
            caller: .backend(.appsRead),
            parameters: [OpenAPISchema.pathParameter("client", schema: "ClientID")], answer: "App",
            refusals: [.notFound]),
        OpenAPIOperation(
            route: .putApp, name: "putApp",
            summary: "Registers an app, or replaces the revision of it that the request names.",
            details: """
                Without `revision` it registers a new app; with one it replaces all members, if that revision is \
                still current. The same request gives the same answer, except a new `client_secret`: only the \
                answer that makes a secret contains it.
                """, caller: .backend(.appsWrite),
            body: .json(schema: "AppRequest"),
            parameters: [OpenAPISchema.pathParameter("client", schema: "ClientID")], answer: "App",
            refusals: [.notFound, .appChanged, .tooManyApps]),
        OpenAPIOperation(
            route: .removeApp, name: "removeApp", summary: "Removes an app. Idempotent.",
            details: """
                Its devices stay bound, but their logins and tokens are refused until the id binds devices \
                again.
                """, caller: .backend(.appsWrite),
            parameters: [OpenAPISchema.pathParameter("client", schema: "ClientID")], answer: "RemovedApp",
            refusals: [.notFound]),
    ]

    static let profiles = [
        OpenAPIOperation(
            route: .profile, name: "profile", summary: "The profile of one user.",
            details: "Apps get claims of OpenID Connect from the profile.", caller: .backend(.profilesRead),
            parameters: [OpenAPISchema.queryParameter("user", schema: "UserID")], answer: "Profile",
            refusals: [.malformedRequest, .notFound]),
        OpenAPIOperation(
            route: .setProfile, name: "setProfile", summary: "Replaces the whole profile of a user. Idempotent.",
            details: """
                Members that are absent or null are removed. The user must exist. What was read by `profile` can be \
                changed and sent back.
                """,
            caller: .backend(.profilesWrite), body: .json(schema: "ProfileRequest"), answer: "Profile",
            refusals: [.notFound]),
        OpenAPIOperation(
            route: .removeProfile, name: "removeProfile", summary: "Removes the profile of a user. Idempotent.",
            details: "The answer is the same if there was no profile.",
            caller: .backend(.profilesWrite), body: .json(schema: "ProfileOwner"), answer: "ProfileOwner"),
    ]

    static let policies = [
        OpenAPIOperation(
            route: .appPolicy, name: "appPolicy", summary: "The policy of an app.",
            details: "An app that was given no policy has one without members, with the revision 0.",
            caller: .backend(.policiesRead),
            parameters: [OpenAPISchema.pathParameter("client", schema: "ClientID")], answer: "PolicyReport",
            refusals: [.notFound]),
        OpenAPIOperation(
            route: .setAppPolicy, name: "setAppPolicy", summary: "Replaces the whole policy of an app. Idempotent.",
            details: """
                Members that are absent are removed. Each device of the app gets the policy with its next binding, \
                login or refresh.
                """, caller: .backend(.policiesWrite), body: .json(schema: "Policy"),
            parameters: [OpenAPISchema.pathParameter("client", schema: "ClientID")], answer: "PolicyReport",
            refusals: [.notFound]),
        OpenAPIOperation(
            route: .userPolicy, name: "userPolicy", summary: "The policy of a user.",
            details: "A user who was given no policy has one without members, with the revision 0.",
            caller: .backend(.policiesRead),
            parameters: [OpenAPISchema.queryParameter("user", schema: "UserID")], answer: "PolicyReport",
            refusals: [.malformedRequest]),
        OpenAPIOperation(
            route: .setUserPolicy, name: "setUserPolicy", summary: "Replaces the whole policy of a user. Idempotent.",
            details: """
                Members that are absent are removed. For the user's devices, a member of this policy replaces the \
                same member of the app's policy.
                """, caller: .backend(.policiesWrite), body: .json(schema: "UserPolicyRequest"), answer: "PolicyReport",
            refusals: [.notFound]),
    ]
}
