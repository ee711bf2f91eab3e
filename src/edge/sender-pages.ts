import { escapeHtml } from "../shared/escape-html.ts";
import { htmlPage } from "./html-page.ts";

/**
 * Asks for confirmation, because opening a link is not consent.
 * @param accountName empty: not shown
 */
export function confirmSenderPage(address: string, accountName: string): string {
  const who = accountName === "" ? "An account of Hermod" : escapeHtml(accountName);
  return htmlPage(
    "Allow mail from your address?",
    `<p>${who} wants to send mail from <strong>${escapeHtml(address)}</strong>.</p>
      <p>Allow it only if you requested this. Otherwise close this page, and nothing changes.</p>
      <form method="post">
        <input type="hidden" name="confirm" value="yes">
        <button type="submit">Allow it</button>
      </form>`,
  );
}

export function senderConfirmedPage(address: string): string {
  return htmlPage(
    "The address is verified",
    `<p>Mail may now be sent from <strong>${escapeHtml(address)}</strong>. You can close this page.</p>`,
  );
}

export function invalidSenderLinkPage(): string {
  return htmlPage(
    "This link does not work",
    "<p>The link was already used, was replaced by a newer one, or expired after 24 hours. Nothing was changed. Request a new link.</p>",
  );
}

export function senderUnavailablePage(): string {
  return htmlPage(
    "Please try again later",
    "<p>The address could not be verified at the moment. Open the link again in a few minutes.</p>",
  );
}
