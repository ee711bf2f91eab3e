import type { z } from "zod";
import { invitations, type openInvitation } from "../../../contracts/dashboard/invitations.ts";
import { users } from "../../../contracts/dashboard/users.ts";
import { call, callOnce, clientOf } from "./client.ts";
import { switchAccount } from "./session.ts";

const client = clientOf(users);
const invitationClient = clientOf(invitations);

export const requestEmailChange = (email: string) =>
  call(() => client.requestEmailChange({ body: { email } }));
export const findEmailChange = (token: string) => callOnce(() => client.findEmailChange({ body: { token } }));
export const confirmEmailChange = (token: string) =>
  callOnce(() => client.confirmEmailChange({ body: { token } }));

/** @returns the session in another account */
export const leaveAccount = (account_id: string) => call(() => client.leaveAccount({ body: { account_id } }));
export const createOwnAccount = (name: string) => call(() => client.createOwnAccount({ body: { name } }));

export const requestPasswordReset = (email: string) =>
  callOnce(() => client.requestPasswordReset({ body: { email } }));
export const findPasswordReset = (token: string) =>
  callOnce(() => client.findPasswordReset({ body: { token } }));
export const completePasswordReset = (body: { readonly token: string; readonly new_password: string }) =>
  callOnce(() => client.completePasswordReset({ body }));

export const requestSignUp = (email: string) => callOnce(() => client.requestSignUp({ body: { email } }));
export const findSignUp = (token: string) => callOnce(() => client.findSignUp({ body: { token } }));
export const completeSignUp = (body: {
  readonly token: string;
  readonly password: string;
  readonly account_name: string;
}) => callOnce(() => client.completeSignUp({ body }));

export type OpenInvitation = z.output<typeof openInvitation>;

export const findInvitation = (token: string) =>
  callOnce(() => invitationClient.findInvitation({ body: { token } }));
export const acceptInvitation = (body: { readonly token: string; readonly password: string }) =>
  callOnce(() => invitationClient.acceptInvitation({ body }));

/**
 * Joins as the signed-in user.
 * @returns the session in the joined account
 */
export async function joinAccount(token: string) {
  const { account_id } = await callOnce(() => invitationClient.joinAccount({ body: { token } }));
  return switchAccount(account_id);
}
