import Nightlatch
import NightlatchPlatform
import NightlatchProgram
import NightlatchUI
import NightlatchWire

/// Logins in a browser, which the user confirms on the phone.
extension DemoPhone {
    /// The end of a login in a browser, as the phone knows it.
    enum LoginEnd: Hashable {
        case confirmed(AppName)
        case rejected(AppName)
        /// The user entered another number than the login page shows.
        case numberWrong
        /// The login had ended before the decision.
        case ended
    }

    /// Handles the news that a request waits, which a real phone gets by a push message.
    ///
    /// A phone that is logged in shows the request.
    ///
    /// - Parameter notice: The notification for a phone that is not logged in.
    func learnOfRequest(_ notice: String) {
        switch screen {
        case .home where session != nil:
            run { phone in
                if let open = await phone.openVault() { await phone.showNextRequest(open, isAsked: false) }
            }
        case .home, .locked: if !isBusy { say(notice) }
        case .welcome, .payment, .login, .number, .loginEnded, .signIn, .blocked: break
        }
    }

    /// Shows the oldest pending payment, or else the newest login that waits.
    ///
    /// - Parameters:
    ///   - open: The open vault, to log in again if the session has ended.
    ///   - isAsked: Whether the user asked for requests. If so, the user gets a message if there are none.
    func showNextRequest(_ open: OpenVault, isAsked: Bool) async {
        guard let session else { return }
        do {
            if let payment = try await session.pendingTransactions().first {
                message = nil
                screen = .payment(payment)
                return
            }
            let waiting = try await session.pendingRemoteLogins()
            if let login = waiting.logins.last {
                message = nil
                screen = .login(login)
                if waiting.isLimitReached {
                    say("Many logins were requested. Reject every login that you did not begin yourself.", .bad)
                }
            } else if isAsked {
                say("Nothing waits for you.")
            }
        } catch .relyingParty(.refused(let refusal)) where refusal.endsSession {
            self.session = nil
            await logIn(open)
        } catch {
            say(CommandFailure(error).message, .bad)
        }
    }

    /// Scans the code of the login page that the camera sees.
    func scan() async {
        guard let session else { return }
        guard let text = camera.scannedText,
            let code = RemoteLoginCode(scanned: text, issuer: device.relyingParty.issuer)
        else {
            say("The camera sees no code. Open the shop, and log in there.")
            return
        }
        do {
            screen = .login(try await session.claimRemoteLogin(code))
        } catch .relyingParty(.refused(let refusal)) where refusal.endsSession {
            self.session = nil
            say("Your session has ended. Log in again, then scan the code.", .bad)
        } catch {
            say(CommandFailure(error).message, .bad)
        }
    }

    /// Types a digit of the number on the login page.
    func typeNumber(_ digit: PinDigit) {
        guard case .number(let login, let typed) = screen, typed.count < 2, !isBusy else { return }
        screen = .number(login, typed: typed + String(digit.rawValue))
    }

    func deleteNumber() {
        guard case .number(let login, let typed) = screen, !isBusy else { return }
        screen = .number(login, typed: String(typed.dropLast()))
    }
}
