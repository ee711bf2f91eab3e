import type { Command } from "commander";
import type { Account } from "../../gen/hermod/account/v1/account_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { accountDeletions } from "./account-deletions.ts";
import { accountRetention } from "./account-retention.ts";
import { allPages } from "./all-pages.ts";
import { coreCommand } from "./core-command.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { InputError } from "./input/read-options.ts";
import { table } from "./output/table.ts";
import { isoTime, listJson, plainTime, printable } from "./output/text.ts";
import { writeParts } from "./output/write-parts.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod account` */
export function accounts(program: Command, surroundings: Surroundings): void {
  const group = program.command("account").description("Accounts: who is in one sees nothing of another.");
  accountCreate(group, surroundings);
  accountList(group, surroundings);
  accountRename(group, surroundings);
  accountRequireSecondFactor(group, surroundings);
  accountRetention(group, surroundings);
  accountExport(group, surroundings);
  accountDelete(group, surroundings);
  accountDeletions(group, surroundings);
}

/** `hermod account create`: the id alone goes to standard output, so that a script can take it from there. */
function accountCreate(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("create")
    .argument("<name>", "a name to recognise it by")
    .description("Make an account; its mail is captured until a policy of its own says otherwise.");
  coreCommand(surroundings, command, async ({ core, args: [name = ""] }) => {
    const { account } = await core.accounts.createAccount({ name });
    if (!account) throw fault("internal.error", { internal: "the core answered without the account" });
    return {
      json: accountJson(account),
      text: () => account.id,
      note: `Made the account "${printable(account.name)}". Give it a user with \`hermod user create --account ${account.id}\`.`,
    };
  });
}

/** `hermod account list` */
function accountList(parent: Command, surroundings: Surroundings): void {
  const command = parent.command("list").description("List all accounts.");
  coreCommand(surroundings, command, async ({ core, paint }) => {
    const accounts = await allPages(
      (pageToken) => core.accounts.listAccounts({ pageToken }),
      (page) => page.accounts,
    );
    const rows = accounts.map(({ id, name, createdAt }) => [id, printable(name), plainTime(createdAt)]);
    return {
      json: listJson(accounts.map(accountJson)),
      text: () => table(paint, ["ID", "NAME", "CREATED"], rows, "There are no accounts."),
    };
  });
}

/** `hermod account rename` */
function accountRename(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("rename")
    .argument("<name>", "the new name")
    .description("Give an account another name.")
    .option(...IF_REVISION);
  coreCommand<OnRevision>(surroundings, command, async ({ core, account: accountId, args }, options) => {
    const [name = ""] = args;
    const { account } = await core.accounts.renameAccount({ accountId, name, ...options });
    if (!account) throw fault("internal.error", { internal: "the core answered without the account" });
    return {
      json: accountJson(account),
      text: () => `The account ${account.id} is called "${printable(account.name)}" now.`,
    };
  });
}

/** `hermod account require-second-factor` */
function accountRequireSecondFactor(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("require-second-factor")
    .description("Have the members of an account show a second factor, or, with --off, no more.")
    .option("--off", "a password is enough")
    .option(...IF_REVISION);
  coreCommand<OnRevision & { off?: boolean }>(
    surroundings,
    command,
    async ({ core, account: accountId }, { off = false, ...onRevision }) => {
      const asked = { accountId, required: !off, ...onRevision };
      const { account } = await core.accounts.requireSecondFactor(asked);
      if (!account) throw fault("internal.error", { internal: "the core answered without the account" });
      return {
        json: accountJson(account),
        text: () =>
          off
            ? `Members of the account ${account.id} need no second factor.`
            : `Members of the account ${account.id} need a second factor; those who have none can do nothing but set one up.`,
      };
    },
  );
}

/** `hermod account export`: written as it comes, however much it is. */
function accountExport(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("export")
    .argument("<account>", "the account's id")
    .description("Write everything that is stored of an account to standard output, as NDJSON.")
    .option("--bodies", "with the bodies of messages, as far as they are kept");
  coreCommand<{ bodies?: boolean }>(
    surroundings,
    command,
    async ({ core, args: [accountId = ""] }, { bodies = false }) =>
      writeParts(surroundings.out, core.accounts.exportAccount({ accountId, bodies })),
  );
}

/** `hermod account delete`: without `--yes` it says what would go, and changes nothing. */
function accountDelete(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("delete")
    .argument("<account>", "the account's id")
    .description("Delete an account with all that it has, for good; its users stay.")
    .option("--yes", "do it");
  coreCommand<{ yes?: boolean }>(surroundings, command, async ({ core, args: [accountId = ""] }, { yes }) => {
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
  });
}

/** An account as `--json` writes it. */
function accountJson({ id, name, createdAt, requiresSecondFactor, revision }: Account) {
  return { id, name, created_at: isoTime(createdAt), requires_second_factor: requiresSecondFactor, revision };
}
