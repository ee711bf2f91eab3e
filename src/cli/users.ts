import { Option } from "commander";
import { UserSchema } from "../../gen/hermod/user/v1/user_service_pb.ts";
import { commandGroup } from "./core-command.ts";
import { listCommand } from "./list-command.ts";
import { ROLES } from "./members.ts";
import { plainTime, printable } from "./output/text.ts";
import { showCommand } from "./show-command.ts";

/** `hermod user` */
export const users = commandGroup("user", "People who sign in to the dashboard.", () => [
  userCreate,
  userList,
  userResetPassword,
  userRemoveFactors,
]);

/** `hermod user create`: the password alone goes to standard output. */
const userCreate = showCommand({
  name: "create",
  description: "Make a user of an account and show the password, once; it is replaced at the first sign-in.",
  arguments: [["<email>", "the address to sign in with"]],
  options: [
    new Option("--role <role>", "what the user may do in the account").choices([...ROLES]).default("owner"),
  ],
  call: ({ core, account, args: [email = ""] }, { role }: { role: string }) =>
    core.users.createUser({ accountId: account, email, role }),
  of: "user",
  schema: UserSchema,
  also: ({ password }) => ({ ...(password !== "" && { password }) }),
  text: ({ email }, { answer: { password }, options: { role } }) =>
    password || `${printable(email)} was a user already, and belongs to the account now as ${role}.`,
  note: ({ email }, { answer: { password }, options: { role } }) =>
    password === ""
      ? undefined
      : `Made the user ${printable(email)}, ${role} of the account. The password is not shown again.`,
});

/** `hermod user list` */
const userList = listCommand({
  description: "List the users of all accounts.",
  call: ({ core, page }) => core.users.listUsers(page),
  of: "users",
  schema: UserSchema,
  columns: [
    ["EMAIL", ({ email }) => printable(email)],
    ["ID", ({ id }) => id],
    ["CREATED", ({ createdAt }) => plainTime(createdAt)],
    ["PASSWORD", ({ mustChangePassword }) => (mustChangePassword ? "to be replaced" : "own")],
  ],
  none: "There are no users. Make one with `hermod user create`.",
});

const EMAIL = ["<email>", "the address that the user signs in with"] as const;

/** `hermod user reset-password`: the password alone goes to standard output. */
const userResetPassword = showCommand({
  name: "reset-password",
  description: "Give a user a new password and show it, once; end all of the user's sessions.",
  arguments: [EMAIL],
  call: ({ core, args: [email = ""] }) => core.users.resetPassword({ email }),
  of: "user",
  schema: UserSchema,
  also: ({ password, ended }) => ({ password, sessions_ended: ended }),
  text: (_user, { answer: { password } }) => password,
  note: ({ email }, { answer: { ended } }) =>
    `${printable(email)} has a new password, to be replaced at the next sign-in. Sessions ended: ${ended}.`,
});

/** `hermod user remove-factors` */
const userRemoveFactors = showCommand({
  name: "remove-factors",
  description: "Take all second factors from a user who has lost them; end all of the user's sessions.",
  arguments: [EMAIL],
  call: ({ core, args: [email = ""] }) => core.users.removeFactors({ email }),
  of: "user",
  schema: UserSchema,
  also: ({ ended }) => ({ sessions_ended: ended }),
  text: ({ email }, { answer: { ended } }) =>
    `${printable(email)} signs in with the password alone until a second factor is set up again. Sessions ended: ${ended}.`,
});
