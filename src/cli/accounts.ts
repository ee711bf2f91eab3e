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
export const accounts = commandGroup("account", "Accounts: who is in one sees nothing of another.", () => [
  accountCreate,
  accountList,
  accountRename,
  accountRequireSecondFactor,
  accountRetention,
  accountExport,
  accountDelete,
  accountDeletions,
]);

/** `hermod account create`: the id alone goes to standard output, so that a script can take it from there. */
const accountCreate = showCommand({
  name: "create",
  description: "Make an account; its mail is captured until a policy of its own says otherwise.",
  arguments: [["<name>", "a name to recognise it by"]],
  call: ({ core, args: [name = ""] }) => core.accounts.createAccount({ name }),
  of: "account",
  schema: AccountSchema,
  text: ({ id }) => id,
  note: ({ id, name }) =>
    `Made the account "${printable(name)}". Give it a user with \`hermod user create --account ${id}\`.`,
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
  description: "Give an account another name.",
  arguments: [["<name>", "the new name"]],
  options: [IF_REVISION],
  call: ({ core, account, args: [name = ""] }, options: OnRevision) =>
    core.accounts.renameAccount({ accountId: account, name, ...options }),
  of: "account",
  schema: AccountSchema,
  text: ({ id, name }) => `The account ${id} is called "${printable(name)}" now.`,
});

/** `hermod account require-second-factor` */
const accountRequireSecondFactor = showCommand({
  name: "require-second-factor",
  description: "Have the members of an account show a second factor, or, with --off, no more.",
  options: [["--off", "a password is enough"], IF_REVISION],
  call: ({ core, account }, { off = false, ...onRevision }: OnRevision & { off?: boolean }) =>
    core.accounts.requireSecondFactor({ accountId: account, required: !off, ...onRevision }),
  of: "account",
  schema: AccountSchema,
  text: ({ id }, { options: { off } }) =>
    off
      ? `Members of the account ${id} need no second factor.`
      : `Members of the account ${id} need a second factor; those who have none can do nothing but set one up.`,
});

const ACCOUNT = ["<account>", "the account's id"] as const;

/** `hermod account export`: written as it comes, however much it is. */
const accountExport = coreCommand(
  {
    name: "export",
    description: "Write everything that is stored of an account to standard output, as NDJSON.",
    arguments: [ACCOUNT],
    options: [["--bodies", "with the bodies of messages, as far as they are kept"]],
  },
  ({ core, args: [accountId = ""], surroundings }, { bodies = false }: { bodies?: boolean }) =>
    writeParts(surroundings.out, core.accounts.exportAccount({ accountId, bodies })),
);

/** `hermod account delete`: without `--yes` it says what would go, and changes nothing. */
const accountDelete = coreCommand(
  {
    name: "delete",
    description: "Delete an account with all that it has, for good; its users stay.",
    arguments: [ACCOUNT],
    options: [["--yes", "do it"]],
  },
  async ({ core, args: [accountId = ""] }, { yes }: { yes?: boolean }) => {
    const { account } = await core.accounts.getAccount({ accountId });
    if (!account || accountId === "")
      throw new InputError("Name the account that is to be deleted, by its id.");
    const named = `${account.id} ("${printable(account.name)}")`;
    if (!yes) {
      throw new InputError(
        `This deletes the account ${named} for good: its keys and SMTP credentials, members, invitations, senders, domains and their DKIM keys, policies, templates, suppressions, and all messages with their bodies and events; what waits to be sent is withdrawn. Users stay, and so do other accounts. Repeat it with --yes.`,
      );
    }
    await core.accounts.deleteAccount({ accountId: account.id });
    return {
      json: { deleted: account.id },
      text: () =>
        `The account ${named} is deleted: its keys and members are gone, its messages and settings go within minutes: see \`hermod account deletions ${account.id}\`.`,
    };
  },
);
