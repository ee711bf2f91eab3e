import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type AccountSchema, AccountService } from "../../../gen/hermod/account/v1/account_service_pb.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, READS, reads } from "../../rpc/audits.ts";
import { OPERATOR_ONLY, permitted } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { isId, newId } from "../../shared/ids.ts";
import type { AccountDocument } from "../../store/documents.ts";
import { accountRevision } from "../../store/revisions.ts";
import type { Store } from "../../store/store.ts";
import { createExportAccount } from "../account-export/export-account.ts";
import type { Dependencies } from "../dependencies.ts";
import { pageOf, pageSizeOf, pageStartOf } from "../page.ts";
import { SANDBOX_POLICY, sandboxPolicy } from "../policies/sandbox-policy.ts";
import { createSlots } from "../slots.ts";
import { readAccountName } from "./account-name.ts";
import { createDeleteAccount, type DeleteAccountNeeds } from "./delete-account.ts";
import { createGetDeletion, createListDeletions } from "./deletions.ts";
import { createGetAttention } from "./get-attention.ts";
import { createGetSecondFactor } from "./get-second-factor.ts";
import { createGetStart } from "./get-start.ts";
import { createChangeRetention, createGetRetention } from "./retention.ts";

/** Maximum number of running exports in a core process: with bodies, each holds one of them in memory. */
const EXPORTS = { of: "exports", ofAccount: 2, inAll: 8, retryAfterSeconds: 30 } as const;

type Accounts = { readonly store: Pick<Store, "accounts"> };

type Needs = DeleteAccountNeeds & Pick<Dependencies, "retention" | "sendingSetup" | "intel">;

/** Accounts. Members of one account cannot see data of another account. */
export const accounts: Area<Needs> = defineArea(AccountService, {
  /** Creates an account. Its mail is captured until it has a policy of its own. */
  createAccount: [
    OPERATOR_ONLY,
    changes("account.create", "name"),
    ({ store, clock }) =>
      async ({ name }, { audit }) => {
        const now = clock.now();
        const account = { _id: newId("acc", now), name: readAccountName(name), createdAt: now };
        // The policy is stored first, so that no account exists without one. A policy without an account is harmless.
        await store.forAccount(account._id).policies.replace(SANDBOX_POLICY, () => sandboxPolicy(now), audit);
        await store.accounts.insert(account, audit);
        return { account: toAccount(account) };
      },
  ],
  /** Lists all accounts in the order of their creation. */
  listAccounts: [
    OPERATOR_ONLY,
    READS,
    ({ store }) =>
      async ({ pageSize, pageToken }) => {
        const limit = pageSizeOf(pageSize);
        const after = pageStartOf(pageToken, (token) => (isId("acc", token) ? token : undefined));
        const found = await store.accounts.list({ after, limit: limit + 1 });
        const { entries, nextPageToken } = pageOf(found, limit, ({ _id }) => _id);
        return { accounts: entries.map(toAccount), nextPageToken };
      },
  ],
  getAccount: [
    permitted("account.read"),
    READS,
    ({ store }) =>
      async ({ accountId }) => {
        return { account: toAccount(await findAccount(store, accountId)) };
      },
  ],
  renameAccount: [
    permitted("account.write"),
    changes("account.rename", "accountId"),
    ({ store }) =>
      async ({ accountId, name: given, ifRevision }, { audit }) => {
        const name = readAccountName(given);
        const { _id } = await findAccount(store, accountId);
        const account = await store.accounts.rename(_id, name, audit, ifRevision);
        if (!account) throw unknownAccount(_id);
        return { account: toAccount(account) };
      },
  ],
  /**
   * Sets whether members of an account need a second factor. A caller who has not shown one cannot require it.
   *
   * @throws Fault account.unknown, auth.reauthentication_required, auth.second_factor_missing, resource.stale
   */
  requireSecondFactor: [
    permitted("account.write"),
    changes("account.require_second_factor", "accountId"),
    ({ store }) =>
      async ({ accountId, required, ifRevision }, { principal, audit }) => {
        if (principal && required && !principal.hasTwoFactors) throw fault("auth.second_factor_missing");
        const { _id } = await findAccount(store, accountId);
        const account = await store.accounts.requireSecondFactor(_id, required, audit, ifRevision);
        if (!account) throw unknownAccount(_id);
        return { account: toAccount(account) };
      },
  ],
  getSecondFactor: [permitted("account.write"), READS, createGetSecondFactor],
  deleteAccount: [permitted("account.delete"), changes("account.delete", "accountId"), createDeleteAccount],
  exportAccount: [
    permitted("account.export"),
    reads("account.export", "accountId"),
    (needs) => createExportAccount({ ...needs, slots: createSlots(EXPORTS) }),
  ],
  getStart: [permitted("account.read"), READS, createGetStart],
  getAttention: [permitted("keys.read"), READS, createGetAttention],
  getRetention: [permitted("account.read"), READS, createGetRetention],
  changeRetention: [
    permitted("account.write"),
    changes("account.change_retention", "accountId"),
    createChangeRetention,
  ],
  listDeletions: [OPERATOR_ONLY, READS, createListDeletions],
  getDeletion: [OPERATOR_ONLY, READS, createGetDeletion],
});

/** @throws Fault account.unknown */
async function findAccount(
  { accounts: stored }: Accounts["store"],
  accountId: string,
): Promise<AccountDocument> {
  const { _id } = await stored.resolve(accountId);
  const account = await stored.find(_id);
  if (account) return account;
  throw unknownAccount(_id);
}

const unknownAccount = (id: string) => fault("account.unknown", { public: say("no_account", { id }) });

function toAccount(account: AccountDocument): MessageInitShape<typeof AccountSchema> {
  const { _id: id, name, createdAt, requiresSecondFactor = false } = account;
  const revision = accountRevision(account);
  return { id, name, createdAt: timestampFromDate(createdAt), requiresSecondFactor, revision };
}
