import { Argument } from "commander";
import { MemberSchema } from "../../gen/hermod/member/v1/member_service_pb.ts";
import { commandGroup } from "./core-command.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { listCommand } from "./list-command.ts";
import { plainTime, printable } from "./output/text.ts";
import { removeCommand } from "./remove-command.ts";
import { showCommand } from "./show-command.ts";

/** What a member can be, the mightiest first. */
export const ROLES = ["owner", "admin", "developer", "support", "viewer"] as const;

/** `hermod member` */
export const members = commandGroup("member", "Who belongs to an account, and as what.", () => [
  memberList,
  memberSetRole,
  memberRemove,
]);

const MEMBER = ["<user>", "the member's e-mail address or user id"] as const;

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
  none: "The account has no members. Make one with `hermod user create`.",
});

/** `hermod member set-role` */
const memberSetRole = showCommand({
  name: "set-role",
  description: "Change what a member may do, at once.",
  arguments: [MEMBER, new Argument("<role>", "what the member is from now on").choices([...ROLES])],
  options: [IF_REVISION],
  call: ({ core, account, args: [user = "", role = ""] }, options: OnRevision) =>
    core.members.changeRole({ accountId: account, user, role, ...options }),
  of: "member",
  schema: MemberSchema,
  text: ({ email, role }) => `${printable(email)} is ${role} of the account now.`,
});

/** `hermod member remove` */
const memberRemove = removeCommand(
  {
    description: "Take a member out of an account; the user stays.",
    arguments: [MEMBER],
    options: [IF_REVISION],
  },
  async ({ core, account, args: [user = ""] }, options: OnRevision) => {
    await core.members.removeMember({ accountId: account, user, ...options });
    return { text: `${printable(user)} does not belong to the account any more.` };
  },
);
