import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { ifRevision, ifRevisionQuery, revision } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import { text } from "../common/text-field.ts";
import { emailAddress, endedSessions, moment, newRole, page, pageQuery, roleName, userId } from "./common.ts";

const c = initContract();

export const member = z
  .object({
    user_id: userId,
    email: emailAddress,
    role: roleName,
    joined_at: moment("Time when the user joined the account."),
    revision,
    second_factor: z
      .string()
      .optional()
      .meta({
        description:
          "Second factor that the member has set up: `none`, `totp` or `passkey`. A member with both has `passkey`. Missing, as the next fields: your role does not include `members.write`, or the response is that of a change.",
        examples: ["totp"],
      }),
    meets_requirement: z
      .boolean()
      .optional()
      .meta({ description: "Whether the member has the second factor that the account may require." }),
    last_seen_at: moment(
      "Time of the last use of a session in the account: exact to one minute while the session lasts, to one hour after that. Also missing if it is not known.",
    ).optional(),
    open_sessions: z
      .int()
      .optional()
      .meta({
        description: "Number of the member's open sessions in the account, at most 100.",
        examples: [2],
      }),
  })
  .meta({ id: "Member", description: "A member of the account." });

const memberList = page("MemberList", member, {
  owners: z.int().meta({
    description: "Number of owners of the account. The last owner cannot be removed or lose the role.",
    examples: [1],
  }),
});

export const roles = z
  .object({
    roles: z
      .array(
        z.object({
          name: roleName,
          description: text("Purpose of the role.", "Reads everything except bodies and the audit log."),
          permissions: z
            .array(z.string())
            .meta({ description: "Names of its permissions.", examples: [["messages.read"]] }),
        }),
      )
      .meta({ description: "Roles, from the most powerful to the least powerful." }),
    permissions: z
      .array(
        z.object({
          name: text("Name of the permission, as `resource.verb`.", "keys.write"),
          description: text(
            "Actions that the permission allows.",
            "Create, change and revoke API keys and SMTP credentials",
          ),
        }),
      )
      .meta({ description: "All permissions." }),
  })
  .meta({ id: "Roles", description: "Roles of members, and the permissions that they consist of." });

const pathParams = z.object({ user_id: userId });

export const members = c.router({
  listMembers: {
    method: "GET",
    path: "/api/members",
    summary: "List members",
    description:
      "Lists the members of the account with their roles, in the order in which the users were created. With `search` or `without_second_factor`, a page reads a limited number of members: it can have fewer than `limit` entries, or none, although another page follows. Second factors and sessions are included only if your role includes `members.write`.",
    query: pageQuery.extend({
      role: newRole.optional().meta({ description: "Only members with this role." }),
      search: z
        .string()
        .max(320)
        .optional()
        .meta({
          description: "Only members with this text in their address. Not case-sensitive.",
          examples: ["ada"],
        }),
      without_second_factor: z.enum(["true", "false"]).optional().meta({
        description: "`true`: only members without a second factor. Needs `members.write`.",
      }),
    }),
    ...reading({
      access: "members.read",
      faults: ["request.validation_failed"],
      success: { 200: memberList },
    }),
  },
  listRoles: {
    method: "GET",
    path: "/api/roles",
    summary: "List roles and permissions",
    description: "Lists the roles with their permissions, and describes each permission.",
    ...reading({ access: "members.read", success: { 200: roles } }),
  },
  changeRole: {
    method: "PATCH",
    path: "/api/members/:user_id",
    pathParams,
    summary: "Change a member's role",
    description:
      "Changes a member's role at once, including in open sessions. A member cannot grant or remove more permissions than they have. The last owner cannot lose the role.",
    body: z.strictObject({ role: newRole, if_revision: ifRevision }).meta({ id: "ChangeRoleRequest" }),
    ...changing({
      access: "members.write",
      faults: [
        "member.unknown",
        "member.last_owner",
        "member.grant_exceeded",
        "resource.stale",
        "auth.reauthentication_required",
      ],
      success: { 200: member },
    }),
  },
  removeMember: {
    method: "DELETE",
    path: "/api/members/:user_id",
    pathParams,
    query: ifRevisionQuery,
    summary: "Remove a member",
    description: "Removes a member from the account at once. The user stays a member of other accounts.",
    ...changing({
      access: "members.write",
      faults: [
        "member.unknown",
        "member.last_owner",
        "member.grant_exceeded",
        "resource.stale",
        "auth.reauthentication_required",
      ],
      success: { 204: c.noBody() },
    }),
  },
  signOutMember: {
    method: "POST",
    path: "/api/members/:user_id/sign-out",
    pathParams,
    summary: "End a member's sessions",
    description:
      "Ends all sessions of a member in the account at once, and notifies the member by mail. A session that has selected another account of the user continues there. It cannot switch to this account before its user shows a factor again. A member cannot sign out a member with more permissions. The member can sign in again: to prevent this, remove the member.",
    body: c.noBody(),
    ...changing({
      access: "members.write",
      faults: ["member.unknown", "member.grant_exceeded", "auth.reauthentication_required"],
      success: { 200: endedSessions },
    }),
  },
});
