import { htmlPage } from "./html-page.ts";

/** Asks first: to open a link is not to want something. */
export function confirmPage(): string {
  return htmlPage(
    "Unsubscribe?",
    `<p>You will get no more e-mail of this kind at the address that this link was sent to.</p>
      <form method="post">
        <input type="hidden" name="List-Unsubscribe" value="One-Click">
        <button type="submit">Unsubscribe</button>
      </form>`,
  );
}

export function donePage(): string {
  return htmlPage(
    "You are unsubscribed",
    "<p>You will get no more e-mail of this kind. What is on its way already may still arrive.</p>",
  );
}

export function invalidLinkPage(): string {
  return htmlPage(
    "This link does not work",
    "<p>It may not have been copied as a whole. Open it from the e-mail again; nothing was changed.</p>",
  );
}

export function unavailablePage(): string {
  return htmlPage(
    "Please try again later",
    "<p>It cannot be told right now whether you are unsubscribed. Open the link again in a few minutes.</p>",
  );
}
