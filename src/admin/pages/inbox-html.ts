import { escapeHtml } from "../../shared/escape-html.ts";

/**
 * The inbox page without messages; the script adds them as text, never as markup. `example` has the URL and the
 * sender of a first message.
 */
export function inboxHtml(example: { readonly baseUrl: string; readonly sender: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Sandbox inbox · Hermod</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="/admin.css">
  <link rel="stylesheet" href="/sandbox/inbox.css">
  <script type="module" src="/sandbox/inbox.js"></script>
</head>
<body class="inbox">
  <a class="skip" href="#messages">Skip to the messages</a>
  <header class="bar">
    <h1><a href="/">Hermod</a> <span>Sandbox inbox</span></h1>
    <label class="search">
      <span class="hidden">Search sender, recipient, subject and trace id</span>
      <input id="search" type="search" placeholder="Search…  ( / )" autocomplete="off" spellcheck="false">
    </label>
    <button id="clear" type="button" disabled>Clear</button>
  </header>
  <div class="panes">
    <nav class="list" aria-label="Messages">
      <p id="status" class="status">Loading…</p>
      <ul id="messages" tabindex="-1"></ul>
      <button id="more" type="button" hidden>Show older messages</button>
    </nav>
    <main id="reader" class="reader">
      <div id="hint" class="hint">
        <p>Choose a message to read it.</p>
        <p class="keys"><kbd>↑</kbd> <kbd>↓</kbd> move · <kbd>/</kbd> search · <kbd>Esc</kbd> back to the list</p>
      </div>
      <div id="empty" class="empty" hidden>
        <h2>Nothing captured yet</h2>
        <p>Messages of the sandbox policy are captured here and not delivered. Send one:</p>
        <pre tabindex="0"><code>${curlLine(example)}</code></pre>
        <p>The API key and the sender of the first account are in <code>first-run.json</code> in Hermod's data folder.
          This page shows new messages automatically.</p>
      </div>
      <article id="message" class="message" hidden></article>
    </main>
  </div>
  <dialog id="confirm" aria-labelledby="confirm-title">
    <h2 id="confirm-title">Clear the inbox?</h2>
    <p>This deletes all captured messages for all users of this inbox. It cannot be undone.</p>
    <div class="choices">
      <button id="confirm-no" type="button">Keep messages</button>
      <button id="confirm-yes" type="button" class="danger">Delete all messages</button>
    </div>
  </dialog>
  <p id="live" class="hidden" role="status"></p>
  <noscript><p class="noscript">The inbox needs JavaScript. Its data is at <a href="/sandbox/messages">/sandbox/messages</a>.</p></noscript>
</body>
</html>
`;
}

function curlLine({ baseUrl, sender }: { readonly baseUrl: string; readonly sender: string }): string {
  const body = { from: sender, to: "ada@example.org", subject: "Hello", text: "It works." };
  return escapeHtml(
    [
      `curl ${baseUrl}/v1/email/send \\`,
      `  -H "X-API-Key: $API_KEY" \\`,
      `  -H "Content-Type: application/json" \\`,
      `  -d '${JSON.stringify(body).replaceAll("'", "\\u0027")}'`,
    ].join("\n"),
  );
}
