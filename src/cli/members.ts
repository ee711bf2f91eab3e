import { Argument, type Command } from "commander";
import type { Member } from "../../gen/hermod/member/v1/member_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { allPages } from "./all-pages.ts";
import { coreCommand } from "./core-command.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { table } from "./output/table.ts";
import { isoTime, listJson, plainTime, printable } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

/** What a member can be, the mightiest first. */
export const ROLES = ["owner", "admin", "developer", "support", "viewer"] as const;

/** `hermod member` */
export function members(program: Command, surroundings: Surroundings): void {
  const group = program.command("member").description("Who belongs to an account, and as what.");
  memberList(group, surroundings);
  memberSetRole(group, surroundings);
  memberRemove(group, surroundings);
}

/** `hermod member list` */
function memberList(parent: Command, surroundings: Surroundings): void {
  const command = parent.command("list").description("List the members of an account.");
  coreCommand(surroundings, command, async ({ core, account, paint }) => {
    const members = await allPages(
      (pageToken) => core.members.listMembers({ accountId: account, pageToken }),
      (page) => page.members,
    );
    const rows = members.map(({ email, role, userId, joinedAt }) => [
      printable(email),
      role,
      userId,
      plainTime(joinedAt),
    ]);
    return {
      json: listJson(members.map(memberJson)),
      text: () =>
        table(
          paint,
          ["EMAIL", "ROLE", "USER", "JOINED"],
          rows,
          "The account has no members. Make one with `hermod user create`.",
        ),
    };
  });
}

/** `hermod member set-role` */
function memberSetRole(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("set-role")
    .argument("<user>", "the member's e-mail address or user id")
    .addArgument(new Argument("<role>", "what the member is from now on").choices([...ROLES]))
    .description("Change what a member may do, at once.")
    .option(...IF_REVISION);
  coreCommand<OnRevision>(surroundings, command, async ({ core, account, args }, options) => {
    const [user = "", role = ""] = args;
    const { member } = await core.members.changeRole({ accountId: account, user, role, ...options });
    if (!member) throw fault("internal.error", { internal: "the core answered without the member" });
    return {
      json: memberJson(member),
      text: () => `${printable(member.email)} is ${member.role} of the account now.`,
    };
  });
}

/** `hermod member remove` */
function memberRemove(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("remove")
    .argument("<user>", "the member's e-mail address or user id")
    .description("Take a member out of an account; the user stays.")
    .option(...IF_REVISION);
  coreCommand<OnRevision>(surroundings, command, async ({ core, account, args: [user = ""] }, options) => {
    await core.members.removeMember({ accountId: account, user, ...options });
    return {
      json: { removed: user },
      text: () => `${printable(user)} does not belong to the account any more.`,
    };
  });
}

/** A member as `--json` writes it. */
function memberJson({ userId, email, role, joinedAt, revision }: Member) {
  return { user_id: userId, email, role, joined_at: isoTime(joinedAt), revision };
}
