import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { type invitation, invitations } from "../../../contracts/dashboard/invitations.ts";
import { type member, members, type roles } from "../../../contracts/dashboard/members.ts";
import { call, clientOf } from "./client.ts";
import { listQuery } from "./pages.ts";

const client = clientOf(members);
const invitationClient = clientOf(invitations);

export type Member = z.output<typeof member>;
export type Invitation = z.output<typeof invitation>;
type Roles = z.output<typeof roles>;
/** A role with its permissions. */
export type Role = Roles["roles"][number];
export type Permission = Roles["permissions"][number];

/** Members of the account with their roles. */
export const membersQuery = listQuery(["members", "list"], 100, ({ query, fetchOptions }) =>
  call(() => client.listMembers({ query, fetchOptions })),
);

/** Roles from the most permissions to the fewest, and all permissions. They change only with a release. */
export const rolesQuery = queryOptions({
  queryKey: ["roles"],
  queryFn: ({ signal }) => call(() => client.listRoles({ fetchOptions: { signal } })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Open invitations, oldest first. */
export const invitationsQuery = listQuery(["invitations", "list"], 100, ({ query, fetchOptions }) =>
  call(() => invitationClient.listInvitations({ query, fetchOptions })),
);

/** Changes a role. The server refuses the change if another member has changed the role. */
export const changeRole = ({ user_id, revision }: Member, role: string) =>
  call(() => client.changeRole({ params: { user_id }, body: { role, if_revision: revision } }));
export const removeMember = ({ user_id, revision }: Member) =>
  call(() => client.removeMember({ params: { user_id }, query: { if_revision: revision } }));

export const createInvitation = (body: { readonly email: string; readonly role: string }) =>
  call(() => invitationClient.createInvitation({ body }));
export const resendInvitation = (invitation_id: string) =>
  call(() => invitationClient.resendInvitation({ params: { invitation_id } }));
export const revokeInvitation = (invitation_id: string) =>
  call(() => invitationClient.revokeInvitation({ params: { invitation_id } }));
