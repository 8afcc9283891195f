extension ConsoleTemplate {
    /// The frame of every page. Its values are those of `Frame`, and the member `page` contains the values of the page.
    static var frameText: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>{{#message}}{{message}} · {{/message}}{{title}} · Nightlatch</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <link rel="stylesheet" href="{{style}}">
        </head>
        <body>
        <a class="skip" href="#content">Skip to content</a>
        <header class="bar">
        <p class="brand"><a href="{{home}}"><span aria-hidden="true" class="latch"></span>Nightlatch <span>console</span></a></p>
        {{#signedIn}}
        <nav aria-label="Console">
        <ul>
        {{#sections}}
        <li><a href="{{address}}"{{#isCurrent}} aria-current="page"{{/isCurrent}}>{{text}}</a></li>
        {{/sections}}
        </ul>
        </nav>
        <form method="post" action="{{signOut}}">
        <input type="hidden" name="form_token" value="{{formToken}}">
        <span class="who">{{name}}</span>
        <button class="quiet">Sign out</button>
        </form>
        {{/signedIn}}
        </header>
        <main id="content" tabindex="-1">
        {{#message}}
        <p class="message" role="status">{{message}}</p>
        {{/message}}
        {{^empty(parents)}}
        <nav class="above" aria-label="Breadcrumb">
        <ol>
        {{#parents}}
        <li><a href="{{address}}">{{text}}</a></li>
        {{/parents}}
        <li aria-current="page">{{title}}</li>
        </ol>
        </nav>
        {{/empty(parents)}}
        <h1>{{title}}</h1>
        {{#page}}
        {{$main}}{{/main}}
        {{/page}}
        </main>
        <footer>
        <p>Relying party {{issuer}}. All times are UTC.{{#signedIn}} You are signed out at {{#endsAt}}{{>time}}{{/endsAt}}, \
        or after {{idleLife}} without a click.{{/signedIn}}</p>
        </footer>
        </body>
        </html>

        """
    }

    /// Renders a ``ShownTime``.
    static var timeText: String { #"<time datetime="{{machineText}}">{{text}}</time>"# }
}
