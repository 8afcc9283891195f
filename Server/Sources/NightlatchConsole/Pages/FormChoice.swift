/// An option of a list in a form.
struct FormChoice: Sendable {
    let value: String
    let text: String
    let isChosen: Bool
}
