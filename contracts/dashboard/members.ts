import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { ifRevision, ifRevisionQuery, revision } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import { emailAddress, moment, newRole, page, pageQuery, roleName, userId } from "./common.ts";

const c = initContract();

export const member = z
  .object({
    user_id: userId,
    email: emailAddress,
    role: roleName,
    joined_at: moment("Time when the user joined the account."),
    revision,
  })
  .meta({ id: "Member", description: "A member of the account." });

const pathParams = z.object({ user_id: userId });

export const members = c.router({
  listMembers: {
    method: "GET",
    path: "/api/members",
    summary: "List members",
    description: "Lists the members of the account with their roles.",
    query: pageQuery,
    ...reading({
      access: "members.read",
      faults: ["request.validation_failed"],
      success: { 200: page("MemberList", member) },
    }),
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
});
