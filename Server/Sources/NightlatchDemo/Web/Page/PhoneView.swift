/// The state of the phone for the page to draw. It contains no typed digits.
struct PhoneView: Encodable, Hashable, Sendable {
    /// A button.
    struct Action: Encodable, Hashable, Sendable {
        enum Style: String, Encodable, Sendable { case primary, plain, grave }

        /// The name of the ``PageEvent``.
        let event: String
        let label: String
        let style: Style
        let isEnabled: Bool

        init(_ event: PageEvent, _ label: String, _ style: Style = .plain, isEnabled: Bool = true) {
            self.event = event.name
            self.label = label
            self.style = style
            self.isEnabled = isEnabled
        }
    }

    struct Fact: Encodable, Hashable, Sendable {
        let label: String
        let value: String
    }

    struct Message: Encodable, Hashable, Sendable {
        let text: String
        let tone: String
    }

    /// The keypad for the number of a login page.
    struct Number: Encodable, Hashable, Sendable {
        /// The typed digits. The login page shows them too, so they are no secret here.
        let typed: String
        /// The keys for 1 to 9, 0, and the key that deletes.
        let keys: [Action]
    }

    /// The screen of the app.
    struct App: Encodable, Hashable, Sendable {
        /// The name of the screen. When it changes, the focus moves to the new screen.
        let name: String
        let title: String
        var text: String?
        var message: Message?
        var facts: [Fact] = []
        var number: Number?
        /// Whether the screen has a field for the password.
        var asksForPassword = false
        var actions: [Action] = []
    }

    /// The system's prompt for a finger.
    struct Sensor: Encodable, Hashable, Sendable {
        let reason: String
        let actions: [Action]
    }

    let app: App
    /// The PIN pad; nil if the app asks for no PIN.
    let pad: PadView?
    /// The prompt for a finger; nil if the app asks for no finger.
    let sensor: Sensor?
    let isOpen: Bool
    let isBusy: Bool
    /// The actions outside the phone.
    let fingers: [Action]
    let backend: [Action]
    let `operator`: [Action]
    /// Whether the user can log in at the shop.
    let isShopOpen: Bool
    let guide: GuideView
}
