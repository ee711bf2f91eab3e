import { escapeHtml } from "../shared/escape-html.ts";
import { htmlPage } from "./html-page.ts";

/**
 * Asks first: to open a link is not to want something.
 * @param accountName empty: it is not to be shown
 */
export function confirmSenderPage(address: string, accountName: string): string {
  const who = accountName === "" ? "Someone" : escapeHtml(accountName);
  return htmlPage(
    "Allow mail from your address?",
    `<p>${who} wants to send mail as <strong>${escapeHtml(address)}</strong>.</p>
      <p>Allow it only if you requested it. Otherwise close this page: nothing changes.</p>
      <form method="post">
        <input type="hidden" name="confirm" value="yes">
        <button type="submit">Allow it</button>
      </form>`,
  );
}

export function senderConfirmedPage(address: string): string {
  return htmlPage(
    "The address is verified",
    `<p>Mail can now be sent as <strong>${escapeHtml(address)}</strong>. You can close this page.</p>`,
  );
}

export function invalidSenderLinkPage(): string {
  return htmlPage(
    "This link does not work",
    "<p>The link was already used, was replaced by a newer one, or expired after 24 hours. Request a new one. Nothing was changed.</p>",
  );
}

export function senderUnavailablePage(): string {
  return htmlPage(
    "Please try again later",
    "<p>It is not known right now whether the address is verified. Open the link again in a few minutes.</p>",
  );
}
