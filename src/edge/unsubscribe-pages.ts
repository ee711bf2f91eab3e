import { htmlPage } from "./html-page.ts";

/** Asks first: to open a link is not to want something. */
export function confirmPage(): string {
  return htmlPage(
    "Unsubscribe?",
    `<p>You will receive no more e-mail of this kind at the address to which this link was sent.</p>
      <form method="post">
        <input type="hidden" name="List-Unsubscribe" value="One-Click">
        <button type="submit">Unsubscribe</button>
      </form>`,
  );
}

export function donePage(): string {
  return htmlPage(
    "You are unsubscribed",
    "<p>You will receive no more e-mail of this kind. Mail that is already on its way may still arrive.</p>",
  );
}

export function invalidLinkPage(): string {
  return htmlPage(
    "This link does not work",
    "<p>It may not have been copied completely. Open it again from the e-mail. Nothing was changed.</p>",
  );
}

export function unavailablePage(): string {
  return htmlPage(
    "Please try again later",
    "<p>It is not known right now whether you are unsubscribed. Open the link again in a few minutes.</p>",
  );
}
