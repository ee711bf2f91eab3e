import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { type factorList, factors } from "../../../contracts/dashboard/factors.ts";
import { sessions } from "../../../contracts/dashboard/sessions.ts";
import { call, clientOf } from "./client.ts";

const client = clientOf(factors);
const sessionClient = clientOf(sessions);

export type Factors = z.output<typeof factorList>;
export type Passkey = Factors["passkeys"][number];

/** Second factors of the user, and linked providers. */
export const factorsQuery = queryOptions({
  queryKey: ["factors"],
  queryFn: ({ signal }) => call(() => client.listFactors({ fetchOptions: { signal } })),
});

/** Secret for an authenticator app. It takes effect when a code confirms it. */
export const beginTotp = () => call(() => client.beginTotp({}));
export const confirmTotp = (code: string) =>
  call(() => client.confirmTotp({ body: { code: code.replaceAll(/\s/g, "") } }));
export const removeTotp = () => call(() => client.removeTotp({}));
export const renewRecoveryCodes = () => call(() => client.renewRecoveryCodes({}));

/** Has the browser create a passkey, and stores it under a name. */
export async function addPasskey(name: string) {
  const { options } = await call(() => client.beginPasskey({}));
  const { startRegistration } = await import("@simplewebauthn/browser");
  // The contract passes the JSON form of WebAuthn unchanged.
  const response = (await startRegistration({ optionsJSON: options as never })) as never;
  return call(() => client.confirmPasskey({ body: { name, response } }));
}

export const renamePasskey = ({ id, revision }: Passkey, name: string) =>
  call(() => client.renamePasskey({ params: { passkey_id: id }, body: { name, if_revision: revision } }));
export const removePasskey = (passkey_id: string) =>
  call(() => client.removePasskey({ params: { passkey_id }, query: {} }));

export const unlinkIdentity = (identity_id: string) =>
  call(() => client.unlinkIdentity({ params: { identity_id } }));
/** Address at the provider that the browser opens. */
export const linkProvider = () => call(() => sessionClient.beginOidcLink({ query: { return_to: "/user" } }));
