import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { ifRevision, ifRevisionQuery, revision } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import { moment, passkeyOptions, passkeyResponse } from "./common.ts";

const c = initContract();

export const passkey = z
  .object({
    id: z.string().meta({ description: "Id of the passkey." }),
    name: z.string(),
    created_at: moment("Time when the passkey was added."),
    last_used_at: moment("Time of the last use. Missing: never used.").optional(),
    backed_up: z
      .boolean()
      .meta({ description: "Whether the passkey is backed up: it is, or will be, on several devices." }),
    revision,
  })
  .meta({ id: "Passkey", description: "A passkey of the user." });

export const identity = z
  .object({
    id: z.string().meta({ description: "Id of the link." }),
    issuer: z
      .string()
      .meta({ description: "Issuer URL of the provider.", examples: ["https://login.example.com"] }),
    email: z
      .string()
      .meta({ description: "E-mail address at the provider at that time; empty if the provider sent none." }),
    linked_at: moment("Time when the identity was linked."),
  })
  .meta({ id: "Identity", description: "Identity of the user at an OpenID Connect provider." });

export const factorList = z
  .object({
    totp_confirmed_at: moment(
      "Time when an authenticator app was set up. Missing if there is none.",
    ).optional(),
    recovery_codes_left: z.int(),
    passkeys: z.array(passkey),
    identities: z.array(identity),
  })
  .meta({ id: "Factors", description: "Sign-in methods of the user other than the password." });

const recoveryCodes = z.array(z.string()).meta({
  description:
    "Recovery codes, each valid for one sign-in. They are shown only once. Empty if the user already has recovery codes.",
  examples: [["ab12-cd34-ef56-gh78"]],
});
const name = z
  .string()
  .meta({ description: "Name of the passkey, for people: 1 to 100 characters.", examples: ["Laptop"] });
const passkeyParams = z.object({ passkey_id: z.string() });
const recent = "auth.reauthentication_required" as const;

export const factors = c.router({
  listFactors: {
    method: "GET",
    path: "/api/factors",
    summary: "List your factors",
    description: "Lists your second factors, the number of recovery codes left, and linked providers.",
    ...reading({ access: "signed_in", success: { 200: factorList } }),
  },
  beginTotp: {
    method: "POST",
    path: "/api/factors/totp",
    summary: "Start to set up an authenticator app",
    description: "Creates a secret. It takes effect when a code of the app confirms it within 30 minutes.",
    body: c.noBody(),
    ...changing({
      access: "signed_in",
      faults: ["factor.exists", recent],
      success: {
        200: z
          .object({
            secret: z.string().meta({ description: "Secret in base 32. It is shown only once." }),
            url: z.string().meta({ description: "The secret as an `otpauth://` URL, for a QR code." }),
          })
          .meta({ id: "NewTotp", description: "Secret for an authenticator app." }),
      },
    }),
  },
  confirmTotp: {
    method: "POST",
    path: "/api/factors/totp/confirm",
    summary: "Confirm an authenticator app",
    description: "Confirms the app with a code. The session continues with a new token.",
    body: z
      .strictObject({
        code: z.string().meta({ description: "Six-digit code of the app.", examples: ["287082"] }),
      })
      .meta({ id: "ConfirmTotpRequest" }),
    ...changing({
      access: "signed_in",
      faults: ["factor.exists", "factor.unknown", "auth.reauthentication_required"],
      success: {
        200: z
          .object({ recovery_codes: recoveryCodes })
          .meta({ id: "ConfirmedTotp", description: "Result of the set-up." }),
      },
    }),
  },
  removeTotp: {
    method: "DELETE",
    path: "/api/factors/totp",
    summary: "Remove the authenticator app",
    description:
      "Removes the app and ends all other sessions of the user. This session continues with a new token.",
    ...changing({ access: "signed_in", faults: ["factor.unknown", recent], success: { 204: c.noBody() } }),
  },
  renewRecoveryCodes: {
    method: "POST",
    path: "/api/factors/recovery-codes",
    summary: "Create new recovery codes",
    description: "Creates new recovery codes. The previous codes become void.",
    body: c.noBody(),
    ...changing({
      access: "signed_in",
      faults: ["factor.unknown", recent],
      success: {
        200: z
          .object({ recovery_codes: recoveryCodes })
          .meta({ id: "RecoveryCodes", description: "Ten recovery codes." }),
      },
    }),
  },
  beginPasskey: {
    method: "POST",
    path: "/api/factors/passkey-options",
    summary: "Start to add a passkey",
    description:
      "Returns the options with which the browser has a device create the passkey. They are valid for five minutes.",
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
    description: "Adds a passkey. The session continues with a new token.",
    body: z.strictObject({ name, response: passkeyResponse }).meta({ id: "ConfirmPasskeyRequest" }),
    ...changing({
      access: "signed_in",
      faults: ["passkey.not_available", "factor.exists", recent],
      success: {
        201: z
          .object({ passkey, recovery_codes: recoveryCodes })
          .meta({ id: "NewPasskey", description: "Added passkey." }),
      },
    }),
  },
  renamePasskey: {
    method: "PATCH",
    path: "/api/factors/passkeys/:passkey_id",
    pathParams: passkeyParams,
    summary: "Rename a passkey",
    description: "Changes the display name. No behavior depends on it.",
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
    description:
      "Removes a passkey and ends all other sessions of the user. This session continues with a new token.",
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
    summary: "Unlink a provider",
    description:
      "Removes the link to a provider. The last sign-in method cannot be removed: a password or a passkey must remain.",
    ...changing({
      access: "signed_in",
      faults: ["factor.unknown", "factor.last", recent],
      success: { 204: c.noBody() },
    }),
  },
});
