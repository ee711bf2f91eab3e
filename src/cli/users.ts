import { type Command, Option } from "commander";
import type { User } from "../../gen/hermod/user/v1/user_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { allPages } from "./all-pages.ts";
import { coreCommand } from "./core-command.ts";
import { ROLES } from "./members.ts";
import { table } from "./output/table.ts";
import { isoTime, listJson, plainTime, printable } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod user` */
export function users(program: Command, surroundings: Surroundings): void {
  const group = program.command("user").description("People who sign in to the dashboard.");
  userCreate(group, surroundings);
  userList(group, surroundings);
  userResetPassword(group, surroundings);
  userRemoveFactors(group, surroundings);
}

/** `hermod user create`: the password alone goes to standard output. */
function userCreate(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("create")
    .argument("<email>", "the address to sign in with")
    .description(
      "Make a user of an account and show the password, once; it is replaced at the first sign-in.",
    )
    .addOption(
      new Option("--role <role>", "what the user may do in the account").choices([...ROLES]).default("owner"),
    );
  coreCommand<{ role: string }>(
    surroundings,
    command,
    async ({ core, account, args: [email = ""] }, { role }) => {
      const { user, password } = await core.users.createUser({ accountId: account, email, role });
      if (!user) throw fault("internal.error", { internal: "the core answered without the user" });
      const shown = printable(user.email);
      return {
        json: { ...userJson(user), ...(password !== "" && { password }) },
        text: () => password || `${shown} was a user already, and belongs to the account now as ${role}.`,
        ...(password !== "" && {
          note: `Made the user ${shown}, ${role} of the account. The password is not shown again.`,
        }),
      };
    },
  );
}

/** `hermod user list` */
function userList(parent: Command, surroundings: Surroundings): void {
  const command = parent.command("list").description("List the users of all accounts.");
  coreCommand(surroundings, command, async ({ core, paint }) => {
    const users = await allPages(
      (pageToken) => core.users.listUsers({ pageToken }),
      (page) => page.users,
    );
    const rows = users.map(({ id, email, createdAt, mustChangePassword }) => [
      printable(email),
      id,
      plainTime(createdAt),
      mustChangePassword ? "to be replaced" : "own",
    ]);
    return {
      json: listJson(users.map(userJson)),
      text: () =>
        table(
          paint,
          ["EMAIL", "ID", "CREATED", "PASSWORD"],
          rows,
          "There are no users. Make one with `hermod user create`.",
        ),
    };
  });
}

/** `hermod user reset-password`: the password alone goes to standard output. */
function userResetPassword(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("reset-password")
    .argument("<email>", "the address that the user signs in with")
    .description("Give a user a new password and show it, once; end all of the user's sessions.");
  coreCommand(surroundings, command, async ({ core, args: [email = ""] }) => {
    const { user, password, ended } = await core.users.resetPassword({ email });
    if (!user) throw fault("internal.error", { internal: "the core answered without the user" });
    return {
      json: { ...userJson(user), password, sessions_ended: ended },
      text: () => password,
      note: `${printable(user.email)} has a new password, to be replaced at the next sign-in. Sessions ended: ${ended}.`,
    };
  });
}

/** `hermod user remove-factors` */
function userRemoveFactors(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("remove-factors")
    .argument("<email>", "the address that the user signs in with")
    .description("Take all second factors from a user who has lost them; end all of the user's sessions.");
  coreCommand(surroundings, command, async ({ core, args: [email = ""] }) => {
    const { user, ended } = await core.users.removeFactors({ email });
    if (!user) throw fault("internal.error", { internal: "the core answered without the user" });
    return {
      json: { ...userJson(user), sessions_ended: ended },
      text: () =>
        `${printable(user.email)} signs in with the password alone until a second factor is set up again. Sessions ended: ${ended}.`,
    };
  });
}

/** A user as `--json` writes it. */
function userJson({ id, email, createdAt, mustChangePassword }: User) {
  return { id, email, created_at: isoTime(createdAt), must_change_password: mustChangePassword };
}
