import { escapeHtml } from "../shared/escape-html.ts";
import { htmlPage } from "./html-page.ts";

/**
 * Asks first: to open a link is not to want something.
 * @param accountName empty: it is not to be shown
 */
export function confirmSenderPage(address: string, accountName: string): string {
  const who = accountName === "" ? "Somebody" : escapeHtml(accountName);
  return htmlPage(
    "Allow mail from your address?",
    `<p>${who} wants to send mail as <strong>${escapeHtml(address)}</strong>.</p>
      <p>Allow it only if you have asked for this. If you know nothing of it, close this page: nothing happens.</p>
      <form method="post">
        <input type="hidden" name="confirm" value="yes">
        <button type="submit">Allow it</button>
      </form>`,
  );
}

export function senderConfirmedPage(address: string): string {
  return htmlPage(
    "The address is verified",
    `<p>Mail may be sent as <strong>${escapeHtml(address)}</strong> from now on. You can close this page.</p>`,
  );
}

export function invalidSenderLinkPage(): string {
  return htmlPage(
    "This link does not work",
    "<p>It was used already, a newer one has taken its place, or it has run out after 24 hours. Ask for a new one; nothing was changed.</p>",
  );
}

export function senderUnavailablePage(): string {
  return htmlPage(
    "Please try again later",
    "<p>It cannot be told right now whether the address is verified. Open the link again in a few minutes.</p>",
  );
}
