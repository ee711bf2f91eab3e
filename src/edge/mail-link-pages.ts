import { htmlPage } from "./html-page.ts";

/** Where the one script of these pages is, relative to them. */
export const SCRIPT_PATH = "/mail-link.js";

/** With the address for the browser's password manager, which sends none. */
const choosePassword = (label: string, name: string) => `<label>E-mail address
            <input type="email" autocomplete="username" readonly data-show="email"></label>
          <label>${label}
            <input type="password" name="${name}" autocomplete="new-password" required minlength="12" maxlength="256"
              aria-describedby="rule"></label>
          <p id="rule">At least 12 characters: several uncommon words are easy to keep in mind.</p>`;

const askForMail = (post: string, button: string) => `<form data-post="${post}" data-then="mailed">
          <label>E-mail address <input type="email" name="email" autocomplete="username" required></label>
          <button type="submit">${button}</button>
        </form>`;

/** A page whose secret stands behind `#`; what is not hidden at first is seen by who runs no scripts. */
function linkPage(title: string, find: string, sections: Readonly<Record<string, string>>): string {
  const parts = Object.entries(sections).map(
    ([id, content]) => `<section id="${id}" tabindex="-1" hidden>
        ${content}
      </section>`,
  );
  return htmlPage(
    title,
    `<div data-find="${find}">
      <noscript><p>This page needs JavaScript: what your link stands for reaches only a script.</p></noscript>
      <p id="fault" role="alert" hidden></p>
      ${parts.join("\n      ")}
      </div>
      <script src="${SCRIPT_PATH.slice(1)}"></script>`,
  );
}

export const invitationPage = linkPage("Your invitation", "api/invitation/find", {
  ask: "<p>Open the link of the mail again. If it does not work any more, ask the one who invited you for another one.</p>",
  choose: `<p>You are invited to <strong data-show="account_name"></strong> as <span data-show="role"></span>.
          Choose a password to join.</p>
        <form data-post="api/invitation/accept" data-with-token data-then="done">
          ${choosePassword("Password", "password")}
          <button type="submit">Join</button>
        </form>`,
  confirm: `<p>You are invited to <strong data-show="account_name"></strong> as <span data-show="role"></span>,
          with the address <span data-show="email"></span>.</p>
        <form data-then="join">
          <button type="submit">Join</button>
        </form>`,
  "sign-in": `<p>You are invited to <strong data-show="account_name"></strong> as <span data-show="role"></span>.
          Sign in to join.</p>
        <form data-post="api/session" data-then="join">
          <label>E-mail address <input type="email" name="email" autocomplete="username" readonly data-show="email"></label>
          <label>Password
            <input type="password" name="password" autocomplete="current-password" required></label>
          <button type="submit">Sign in and join</button>
          <button type="button" id="passkey" hidden>Use a passkey</button>
        </form>`,
  code: `<form data-post="api/session/second-factor" data-then="join">
          <label>Code of your authenticator app, or a recovery code
            <input name="code" autocomplete="one-time-code" required></label>
          <button type="submit">Go on</button>
        </form>`,
  done: `<p>You have joined <strong data-show="account_name"></strong>, and are signed in.</p>`,
});

export const passwordResetPage = linkPage("A new password", "api/password-reset/find", {
  ask: `<p>You are sent a mail with a link, which works once and for 30 minutes.</p>
        ${askForMail("api/password-reset", "Send the mail")}`,
  mailed: "<p>If anybody has that address here, a mail is on its way. Its link works for 30 minutes.</p>",
  choose: `<form data-post="api/password-reset/complete" data-with-token data-then="done">
          ${choosePassword("New password", "new_password")}
          <p>All your sessions end.</p>
          <button type="submit">Set the password</button>
        </form>`,
  done: "<p>The password is changed. Sign in with it from now on.</p>",
});

export const signUpPage = linkPage("Sign up", "api/sign-up/find", {
  ask: `<p>You are sent a mail with a link, which works for a day.</p>
        ${askForMail("api/sign-up", "Send the mail")}`,
  mailed: "<p>A mail is on its way, with a link that works for a day.</p>",
  choose: `<form data-post="api/sign-up/complete" data-with-token data-then="done">
          <label>Name of your account <input name="account_name" autocomplete="organization" required maxlength="100"></label>
          ${choosePassword("Password", "password")}
          <button type="submit">Begin</button>
        </form>`,
  done: "<p>Your account is there, and you are signed in.</p>",
});
