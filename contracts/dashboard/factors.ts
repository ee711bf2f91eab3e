import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { ifRevision, ifRevisionQuery, revision } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import { moment, passkeyOptions, passkeyResponse } from "./common.ts";

const c = initContract();

export const passkey = z
  .object({
    id: z.string().meta({ description: "Names the passkey." }),
    name: z.string(),
    created_at: moment("When it was added."),
    last_used_at: moment("When it was last used; missing: never.").optional(),
    backed_up: z.boolean().meta({ description: "It is on several devices, or will be." }),
    revision,
  })
  .meta({ id: "Passkey", description: "A passkey of the user." });

export const identity = z
  .object({
    id: z.string().meta({ description: "Names the link." }),
    issuer: z.string().meta({ description: "The provider.", examples: ["https://login.example.com"] }),
    email: z.string().meta({ description: "As the provider had it then; empty: it did not say." }),
    linked_at: moment("When it was linked."),
  })
  .meta({ id: "Identity", description: "Who the user is to a provider of OpenID Connect." });

export const factorList = z
  .object({
    totp_confirmed_at: moment("When an authenticator app was set up; missing: there is none.").optional(),
    recovery_codes_left: z.int(),
    passkeys: z.array(passkey),
    identities: z.array(identity),
  })
  .meta({ id: "Factors", description: "What lets the user in besides a password." });

const recoveryCodes = z.array(z.string()).meta({
  description:
    "Each is good for one sign-in: shown here and never again. Empty: the user has some from before.",
  examples: [["ab12-cd34-ef56-gh78"]],
});
const name = z
  .string()
  .meta({ description: "1 to 100 characters, to recognise it by.", examples: ["Laptop"] });
const passkeyParams = z.object({ passkey_id: z.string() });
const recent = "auth.reauthentication_required" as const;

export const factors = c.router({
  listFactors: {
    method: "GET",
    path: "/api/factors",
    summary: "List your factors",
    description: "Second factors, recovery codes that are left, and providers to sign in by.",
    ...reading({ access: "signed_in", success: { 200: factorList } }),
  },
  beginTotp: {
    method: "POST",
    path: "/api/factors/totp",
    summary: "Begin to set up an authenticator app",
    description:
      "Makes a secret, which counts for nothing before a code of the app confirms it, within half an hour.",
    body: c.noBody(),
    ...changing({
      access: "signed_in",
      faults: ["factor.exists", recent],
      success: {
        200: z
          .object({
            secret: z.string().meta({ description: "In base 32: shown here and never again." }),
            url: z.string().meta({ description: "The same as `otpauth://`, to be shown as a QR code." }),
          })
          .meta({ id: "NewTotp", description: "What an authenticator app is to have." }),
      },
    }),
  },
  confirmTotp: {
    method: "POST",
    path: "/api/factors/totp/confirm",
    summary: "Confirm an authenticator app",
    description: "The session goes on under a new token.",
    body: z
      .strictObject({ code: z.string().meta({ description: "Six digits.", examples: ["287082"] }) })
      .meta({ id: "ConfirmTotpRequest" }),
    ...changing({
      access: "signed_in",
      faults: ["factor.exists", "factor.unknown", "auth.reauthentication_required"],
      success: {
        200: z
          .object({ recovery_codes: recoveryCodes })
          .meta({ id: "ConfirmedTotp", description: "It is set up." }),
      },
    }),
  },
  removeTotp: {
    method: "DELETE",
    path: "/api/factors/totp",
    summary: "Remove the authenticator app",
    description: "Ends all other sessions of the user; this one goes on under a new token.",
    ...changing({ access: "signed_in", faults: ["factor.unknown", recent], success: { 204: c.noBody() } }),
  },
  renewRecoveryCodes: {
    method: "POST",
    path: "/api/factors/recovery-codes",
    summary: "Make new recovery codes",
    description: "Those before are void.",
    body: c.noBody(),
    ...changing({
      access: "signed_in",
      faults: ["factor.unknown", recent],
      success: {
        200: z
          .object({ recovery_codes: recoveryCodes })
          .meta({ id: "RecoveryCodes", description: "Ten of them." }),
      },
    }),
  },
  beginPasskey: {
    method: "POST",
    path: "/api/factors/passkey-options",
    summary: "Begin to add a passkey",
    description: "What the browser is to have a device make it of; it holds for five minutes.",
    body: c.noBody(),
    ...changing({
      access: "signed_in",
      faults: ["passkey.not_available", "factor.too_many", recent],
      success: { 200: passkeyOptions },
    }),
  },
  confirmPasskey: {
    method: "POST",
    path: "/api/factors/passkeys",
    summary: "Add a passkey",
    description: "The session goes on under a new token.",
    body: z.strictObject({ name, response: passkeyResponse }).meta({ id: "ConfirmPasskeyRequest" }),
    ...changing({
      access: "signed_in",
      faults: ["passkey.not_available", "factor.exists", recent],
      success: {
        201: z
          .object({ passkey, recovery_codes: recoveryCodes })
          .meta({ id: "NewPasskey", description: "It is added." }),
      },
    }),
  },
  renamePasskey: {
    method: "PATCH",
    path: "/api/factors/passkeys/:passkey_id",
    pathParams: passkeyParams,
    summary: "Rename a passkey",
    description: "Names are for people: nothing depends on them.",
    body: z.strictObject({ name, if_revision: ifRevision }).meta({ id: "RenamePasskeyRequest" }),
    ...changing({
      access: "signed_in",
      faults: ["factor.unknown", "resource.stale"],
      success: { 200: passkey },
    }),
  },
  removePasskey: {
    method: "DELETE",
    path: "/api/factors/passkeys/:passkey_id",
    pathParams: passkeyParams,
    query: ifRevisionQuery,
    summary: "Remove a passkey",
    description: "Ends all other sessions of the user; this one goes on under a new token.",
    ...changing({
      access: "signed_in",
      faults: ["factor.unknown", "resource.stale", recent],
      success: { 204: c.noBody() },
    }),
  },
  unlinkIdentity: {
    method: "DELETE",
    path: "/api/factors/identities/:identity_id",
    pathParams: z.object({ identity_id: z.string() }),
    summary: "Sign in by a provider no more",
    description: "Not the last way in: a password or a passkey stays.",
    ...changing({
      access: "signed_in",
      faults: ["factor.unknown", "factor.last", recent],
      success: { 204: c.noBody() },
    }),
  },
});
