/// The field for the reason of an action.
extension ConsoleTemplate {
    /// Uses the value `isReasonRequired`.
    static var reasonFieldText: String {
        """
        <div class="field">
        <label for="reason">Reason{{^isReasonRequired}} (optional){{/isReasonRequired}}</label>
        <input id="reason" name="reason"{{#isReasonRequired}} required{{/isReasonRequired}} autocomplete="off" maxlength="200" \
        aria-describedby="reason-hint">
        <p class="hint" id="reason-hint">It stays in the audit log. The number of a ticket is a good reason; do not name the user.</p>
        </div>
        """
    }
}
