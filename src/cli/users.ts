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

/** `hermod user create`: writes only the password to standard output. */
const userCreate = showCommand({
  name: "create",
  description:
    "Create a user of an account and show the password once. The user replaces it at the first sign-in.",
  arguments: [["<email>", "e-mail address for the sign-in"]],
  options: [
    new Option("--role <role>", "role of the user in the account").choices([...ROLES]).default("owner"),
  ],
  call: ({ core, account, args: [email = ""] }, { role }: { role: string }) =>
    core.users.createUser({ accountId: account, email, role }),
  of: "user",
  schema: UserSchema,
  also: ({ password }) => ({ ...(password !== "" && { password }) }),
  text: ({ email }, { answer: { password }, options: { role } }) =>
    password || `${printable(email)} already was a user and is now ${role} of the account.`,
  note: ({ email }, { answer: { password }, options: { role } }) =>
    password === ""
      ? undefined
      : `Created the user ${printable(email)}, ${role} of the account. The password is not shown again.`,
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
  none: "There are no users. Create one with `hermod user create`.",
});

const EMAIL = ["<email>", "e-mail address with which the user signs in"] as const;

/** `hermod user reset-password`: writes only the password to standard output. */
const userResetPassword = showCommand({
  name: "reset-password",
  description: "Set a new password for a user, show it once, and end all sessions of the user.",
  arguments: [EMAIL],
  call: ({ core, args: [email = ""] }) => core.users.resetPassword({ email }),
  of: "user",
  schema: UserSchema,
  also: ({ password, ended }) => ({ password, sessions_ended: ended }),
  text: (_user, { answer: { password } }) => password,
  note: ({ email }, { answer: { ended } }) =>
    `${printable(email)} has a new password and must replace it at the next sign-in. Sessions ended: ${ended}.`,
});

/** `hermod user remove-factors` */
const userRemoveFactors = showCommand({
  name: "remove-factors",
  description: "Remove all second factors of a user and end all sessions of the user.",
  arguments: [EMAIL],
  call: ({ core, args: [email = ""] }) => core.users.removeFactors({ email }),
  of: "user",
  schema: UserSchema,
  also: ({ ended }) => ({ sessions_ended: ended }),
  text: ({ email }, { answer: { ended } }) =>
    `${printable(email)} signs in with only the password until a second factor is set up again. Sessions ended: ${ended}.`,
});
