import { Argument } from "commander";
import { MemberSchema } from "../../gen/hermod/member/v1/member_service_pb.ts";
import { commandGroup } from "./core-command.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { listCommand } from "./list-command.ts";
import { plainTime, printable } from "./output/text.ts";
import { removeCommand } from "./remove-command.ts";
import { showCommand } from "./show-command.ts";

/** Roles of a member, most powerful first. */
export const ROLES = ["owner", "admin", "developer", "support", "viewer"] as const;

/** `hermod member` */
export const members = commandGroup("member", "Members of an account and their roles.", () => [
  memberList,
  memberSetRole,
  memberRemove,
]);

const MEMBER = ["<user>", "e-mail address or user id of the member"] as const;

/** `hermod member list` */
const memberList = listCommand({
  description: "List the members of an account.",
  call: ({ core, account, page }) => core.members.listMembers({ accountId: account, ...page }),
  of: "members",
  schema: MemberSchema,
  columns: [
    ["EMAIL", ({ email }) => printable(email)],
    ["ROLE", ({ role }) => role],
    ["USER", ({ userId }) => userId],
    ["JOINED", ({ joinedAt }) => plainTime(joinedAt)],
  ],
  none: "The account has no members. Create one with `hermod user create`.",
});

/** `hermod member set-role` */
const memberSetRole = showCommand({
  name: "set-role",
  description: "Change the role of a member. It takes effect at once.",
  arguments: [MEMBER, new Argument("<role>", "new role of the member").choices([...ROLES])],
  options: [IF_REVISION],
  call: ({ core, account, args: [user = "", role = ""] }, options: OnRevision) =>
    core.members.changeRole({ accountId: account, user, role, ...options }),
  of: "member",
  schema: MemberSchema,
  text: ({ email, role }) => `${printable(email)} is now ${role} of the account.`,
});

/** `hermod member remove` */
const memberRemove = removeCommand(
  {
    description: "Remove a member from an account. The user stays.",
    arguments: [MEMBER],
    options: [IF_REVISION],
  },
  async ({ core, account, args: [user = ""] }, options: OnRevision) => {
    await core.members.removeMember({ accountId: account, user, ...options });
    return { text: `Removed ${printable(user)} from the account.` };
  },
);
