/// All that the page draws of the phone, in the page's own words. No digit that was typed is in it.
struct PhoneView: Encodable, Hashable, Sendable {
    /// Something to press.
    struct Action: Encodable, Hashable, Sendable {
        enum Style: String, Encodable, Sendable { case primary, plain, grave }

        /// The event's name.
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

    /// The app's own screen.
    struct App: Encodable, Hashable, Sendable {
        /// Another name is another screen, to which attention is drawn.
        let name: String
        let title: String
        var text: String?
        var message: Message?
        var facts: [Fact] = []
        var actions: [Action] = []
    }

    /// The system's prompt for a finger.
    struct Sensor: Encodable, Hashable, Sendable {
        let reason: String
        let actions: [Action]
    }

    let app: App
    /// Nil while nobody asks for a PIN.
    let pad: PadView?
    /// Nil while nobody asks for a finger.
    let sensor: Sensor?
    let isOpen: Bool
    let isBusy: Bool
    /// What can be done beside the phone.
    let fingers: [Action]
    let backend: [Action]
    let `operator`: [Action]
}
