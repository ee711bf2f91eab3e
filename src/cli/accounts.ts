import { AccountSchema } from "../../gen/hermod/account/v1/account_service_pb.ts";
import { accountDeletions } from "./account-deletions.ts";
import { accountRetention } from "./account-retention.ts";
import { commandGroup, coreCommand } from "./core-command.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { InputError } from "./input/read-options.ts";
import { listCommand } from "./list-command.ts";
import { plainTime, printable } from "./output/text.ts";
import { writeParts } from "./output/write-parts.ts";
import { showCommand } from "./show-command.ts";

/** `hermod account` */
export const accounts = commandGroup("account", "Accounts. Each is isolated from the others.", () => [
  accountCreate,
  accountList,
  accountRename,
  accountRequireSecondFactor,
  accountRetention,
  accountExport,
  accountDelete,
  accountDeletions,
]);

/** `hermod account create`: writes only the id to standard output, so that a script can read it. */
const accountCreate = showCommand({
  name: "create",
  description: "Create an account. Hermod captures its mail until a policy of the account delivers it.",
  arguments: [["<name>", "name of the account"]],
  call: ({ core, args: [name = ""] }) => core.accounts.createAccount({ name }),
  of: "account",
  schema: AccountSchema,
  text: ({ id }) => id,
  note: ({ id, name }) =>
    `Created the account "${printable(name)}". Add a user with \`hermod user create --account ${id}\`.`,
});

/** `hermod account list` */
const accountList = listCommand({
  description: "List all accounts.",
  call: ({ core, page }) => core.accounts.listAccounts(page),
  of: "accounts",
  schema: AccountSchema,
  columns: [
    ["ID", ({ id }) => id],
    ["NAME", ({ name }) => printable(name)],
    ["CREATED", ({ createdAt }) => plainTime(createdAt)],
  ],
  none: "There are no accounts.",
});

/** `hermod account rename` */
const accountRename = showCommand({
  name: "rename",
  description: "Rename an account.",
  arguments: [["<name>", "the new name"]],
  options: [IF_REVISION],
  call: ({ core, account, args: [name = ""] }, options: OnRevision) =>
    core.accounts.renameAccount({ accountId: account, name, ...options }),
  of: "account",
  schema: AccountSchema,
  text: ({ id, name }) => `Renamed the account ${id} to "${printable(name)}".`,
});

/** `hermod account require-second-factor` */
const accountRequireSecondFactor = showCommand({
  name: "require-second-factor",
  description: "Require a second factor of the members of an account. With --off: stop requiring it.",
  options: [["--off", "do not require a second factor"], IF_REVISION],
  call: ({ core, account }, { off = false, ...onRevision }: OnRevision & { off?: boolean }) =>
    core.accounts.requireSecondFactor({ accountId: account, required: !off, ...onRevision }),
  of: "account",
  schema: AccountSchema,
  text: ({ id }, { options: { off } }) =>
    off
      ? `Members of the account ${id} do not need a second factor.`
      : `Members of the account ${id} need a second factor. Members without one can only set one up.`,
});

const ACCOUNT = ["<account>", "id of the account"] as const;

/** `hermod account export`: streams the export, so that its size is unlimited. */
const accountExport = coreCommand(
  {
    name: "export",
    description: "Write all stored data of an account to standard output as NDJSON.",
    arguments: [ACCOUNT],
    options: [["--bodies", "include the stored bodies of messages"]],
  },
  ({ core, args: [accountId = ""], environment }, { bodies = false }: { bodies?: boolean }) =>
    writeParts(environment.out, core.accounts.exportAccount({ accountId, bodies })),
);

/** `hermod account delete`: without `--yes` it lists what would be removed and changes nothing. */
const accountDelete = coreCommand(
  {
    name: "delete",
    description: "Delete an account and all of its data permanently. Its users stay.",
    arguments: [ACCOUNT],
    options: [["--yes", "delete it"]],
  },
  async ({ core, args: [accountId = ""] }, { yes }: { yes?: boolean }) => {
    const { account } = await core.accounts.getAccount({ accountId });
    if (!account || accountId === "") throw new InputError("Give the id of the account to delete.");
    const named = `${account.id} ("${printable(account.name)}")`;
    if (!yes) {
      throw new InputError(
        `This permanently deletes the account ${named}: its keys and SMTP credentials, members, invitations, senders, domains and their DKIM keys, policies, templates, suppressions, and all messages with their bodies and events. Waiting messages are cancelled. Users and other accounts stay. To delete it, repeat the command with --yes.`,
      );
    }
    await core.accounts.deleteAccount({ accountId: account.id });
    return {
      json: { deleted: account.id },
      text: () =>
        `Deleted the account ${named}, its keys and members. Hermod removes its messages and settings within minutes: see \`hermod account deletions ${account.id}\`.`,
    };
  },
);
