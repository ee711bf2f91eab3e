/**
 * What the pages behind links in mails run. The page says by attributes what is done: `data-find` asks what the
 * link is for, `data-post` of a form takes its fields (`data-with-token`: and the link's secret), `data-then` names what
 * follows. One section is seen at a time, and `data-show` is filled with a field of an answer.
 */
export const MAIL_LINK_SCRIPT = `"use strict";
const page = document.querySelector("[data-find]");
// Behind "#": no server is sent it and no log shows it.
const token = location.hash.slice(1);
// A link that is opened where the page is already loads nothing.
addEventListener("hashchange", () => location.reload());
const byId = (id) => document.getElementById(id);

function show(id) {
  byId("fault").hidden = true;
  for (const section of page.querySelectorAll("section")) section.hidden = section.id !== id;
  const section = byId(id);
  (section.querySelector("input:not([readonly])") ?? section).focus();
}

function fill(fields) {
  for (const place of document.querySelectorAll("[data-show]")) {
    const value = fields[place.dataset.show];
    if (typeof value !== "string") continue;
    if (place instanceof HTMLInputElement) place.value = value;
    else place.textContent = value;
  }
}

function fail(error) {
  byId("fault").textContent = error.message;
  byId("fault").hidden = false;
}

async function post(path, body) {
  let response;
  try {
    const json = body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    response = await fetch(path, { method: "POST", ...json });
  } catch {
    throw new Error("The server cannot be reached. Nothing was changed, as far as is known; try again in a moment.");
  }
  const answer = response.status === 204 ? {} : await response.json().catch(() => ({}));
  if (response.ok) return answer;
  const reason = answer.errors?.[0]?.message ?? answer.detail ?? "The server answered " + response.status + ".";
  throw Object.assign(new Error(reason), { code: answer.code });
}

/** Used up: it need not stay in the address, nor in the history. */
const forget = () => history.replaceState(null, "", location.pathname);

const then = {
  mailed: () => show("mailed"),
  done: () => {
    forget();
    show("done");
  },
  /** Who is signed in joins; others sign in first. */
  join: async (session) => {
    if (session?.second_factor_required) return show("code");
    try {
      await post("api/invitation/join", { token });
    } catch (error) {
      if (error.code === "auth.second_factor_required") return show("code");
      const isSomebodyElse = error.code === "invitation.other_address";
      if (!isSomebodyElse && !/^auth[.]session_/.test(error.code)) throw error;
      show("sign-in");
      if (isSomebodyElse) fail(error);
      return;
    }
    then.done();
  },
};

/** A form's fields without the empty ones; a code of an app has six digits, others are recovery codes. */
function fieldsOf(form) {
  const { code, ...fields } = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ""));
  if (code === undefined) return fields;
  const digits = code.replace(/\\s/g, "");
  return /^\\d{6}$/.test(digits) ? { ...fields, totp_code: digits } : { ...fields, recovery_code: code.trim() };
}

/** One press does it once, and what goes wrong is said. */
async function once(button, act) {
  button.disabled = true;
  byId("fault").hidden = true;
  try {
    await act();
  } catch (error) {
    fail(error);
  } finally {
    button.disabled = false;
  }
}

for (const form of document.forms) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    once(form.querySelector("button"), async () => {
      const fields = { ..."withToken" in form.dataset && { token }, ...fieldsOf(form) };
      const answer = form.dataset.post && (await post(form.dataset.post, fields));
      await then[form.dataset.then](answer);
    });
  });
}

const passkey = byId("passkey");
if (passkey) {
  passkey.hidden = !window.PublicKeyCredential?.parseRequestOptionsFromJSON;
  passkey.addEventListener("click", () =>
    once(passkey, async () => {
      const { options } = await post("api/session/passkey/options");
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
      const shown = await navigator.credentials.get({ publicKey });
      await then.join(await post("api/session/passkey", { response: shown.toJSON() }));
    }),
  );
}

async function begin() {
  if (token === "") return show("ask");
  try {
    const found = await post(page.dataset.find, { token });
    fill({ ...found, ...found.invitation });
    // Opening a link must not make a signed-in user a member: a button asks first.
    if (found.has_user) show((await fetch("api/session")).ok ? "confirm" : "sign-in");
    else show("choose");
  } catch (error) {
    show("ask");
    fail(error);
  }
}
begin();
`;
