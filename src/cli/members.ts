import { Argument, Option } from "commander";
import { MemberSchema } from "../../gen/hermod/member/v1/member_service_pb.ts";
import { commandGroup, coreCommand } from "./core-command.ts";
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
  memberSignOut,
]);

const MEMBER = ["<user>", "e-mail address or user id of the member"] as const;

interface ListOptions {
  readonly role?: string;
  readonly search?: string;
  readonly withoutSecondFactor?: boolean;
}

/** `hermod member list` */
const memberList = listCommand({
  description: "List the members of an account.",
  options: [
    new Option("--role <role>", "only members with this role").choices([...ROLES]),
    ["--search <text>", "only members with this text in their address"],
    ["--without-second-factor", "only members without a second factor"],
  ],
  call: ({ core, account, page }, options: ListOptions) =>
    core.members.listMembers({ accountId: account, ...page, ...options }),
  of: "members",
  schema: MemberSchema,
  columns: [
    ["EMAIL", ({ email }) => printable(email)],
    ["ROLE", ({ role }) => role],
    ["USER", ({ userId }) => userId],
    ["SECOND FACTOR", ({ secondFactor }) => secondFactor || "-"],
    ["SESSIONS", ({ openSessions }) => openSessions ?? "-"],
    ["LAST SEEN", ({ lastSeenAt }) => (lastSeenAt ? plainTime(lastSeenAt) : "-")],
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

/** `hermod member sign-out` */
const memberSignOut = coreCommand(
  {
    name: "sign-out",
    description: "End all sessions of a member in an account. The member can sign in again.",
    arguments: [MEMBER],
  },
  async ({ core, account, args: [user = ""] }) => {
    const { ended } = await core.members.signOutMember({ accountId: account, user });
    const sessions = ended === 1 ? "1 session" : `${ended} sessions`;
    const text = () => `Ended ${sessions} of ${printable(user)} in the account.`;
    return { json: { user, sessions_ended: ended }, text };
  },
);
