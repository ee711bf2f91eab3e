import { htmlPage } from "./html-page.ts";

/** Asks for confirmation, because opening a link is not consent. */
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
    "<p>You will receive no more e-mail of this kind. E-mail that is already on its way may still arrive.</p>",
  );
}

export function invalidLinkPage(): string {
  return htmlPage(
    "This link does not work",
    "<p>The link may not have been copied completely. Nothing was changed. Open it from the e-mail again.</p>",
  );
}

export function unavailablePage(): string {
  return htmlPage(
    "Please try again later",
    "<p>It is unknown at the moment whether you are unsubscribed. Open the link again in a few minutes.</p>",
  );
}
