import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type AccountSchema,
  AccountService,
  type CreateAccountRequest,
  type CreateAccountResponseSchema,
  type GetAccountRequest,
  type GetAccountResponseSchema,
  type ListAccountsRequest,
  type ListAccountsResponseSchema,
  type RenameAccountRequest,
  type RenameAccountResponseSchema,
  type RequireSecondFactorRequest,
  type RequireSecondFactorResponseSchema,
} from "../../../gen/hermod/account/v1/account_service_pb.ts";
import { defineArea } from "../../rpc/area.ts";
import { changes, LOOKS, reads } from "../../rpc/audits.ts";
import { type HandlerContext, OPERATOR_ONLY, permitted } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { isId, newId } from "../../shared/ids.ts";
import type { AccountDocument } from "../../store/documents.ts";
import { accountRevision } from "../../store/revisions.ts";
import type { Store } from "../../store/store.ts";
import { createExportAccount } from "../account-export/export-account.ts";
import type { Dependencies } from "../dependencies.ts";
import { createExportPlaces } from "../message-export/export-places.ts";
import { pageOf, pageSizeOf, pageStartOf } from "../page.ts";
import { SANDBOX_POLICY, sandboxPolicy } from "../policies/sandbox-policy.ts";
import { readAccountName } from "./account-name.ts";
import { createDeleteAccount, type DeleteAccountNeeds } from "./delete-account.ts";
import { createGetDeletion, createListDeletions } from "./deletions.ts";
import { createChangeRetention, createGetRetention } from "./retention.ts";

/** Under way at once in a core process: with bodies, each holds on to one of them. */
const EXPORTS = { ofAccount: 2, inAll: 8 } as const;

type Accounts = { readonly store: Pick<Store, "accounts"> };

/** Accounts: who is in one sees nothing of another. */
export const accounts = defineArea({
  service: AccountService,
  callers: {
    createAccount: OPERATOR_ONLY,
    listAccounts: OPERATOR_ONLY,
    getAccount: permitted("account.read"),
    renameAccount: permitted("account.write"),
    requireSecondFactor: permitted("account.write"),
    deleteAccount: permitted("account.delete"),
    exportAccount: permitted("account.export"),
    getRetention: permitted("account.read"),
    changeRetention: permitted("account.write"),
    listDeletions: OPERATOR_ONLY,
    getDeletion: OPERATOR_ONLY,
  },
  audits: {
    createAccount: changes("account.create", "name"),
    listAccounts: LOOKS,
    getAccount: LOOKS,
    renameAccount: changes("account.rename", "accountId"),
    requireSecondFactor: changes("account.require_second_factor", "accountId"),
    deleteAccount: changes("account.delete", "accountId"),
    exportAccount: reads("account.export", "accountId"),
    getRetention: LOOKS,
    changeRetention: changes("account.change_retention", "accountId"),
    listDeletions: LOOKS,
    getDeletion: LOOKS,
  },
  handlers: ({
    store,
    clock,
    retention,
    sendingSetup,
    intel,
    ...needs
  }: DeleteAccountNeeds & Pick<Dependencies, "retention" | "sendingSetup" | "intel">) => ({
    createAccount: createCreateAccount({ store, clock }),
    listAccounts: createListAccounts({ store }),
    getAccount: createGetAccount({ store }),
    renameAccount: createRenameAccount({ store }),
    requireSecondFactor: createRequireSecondFactor({ store }),
    deleteAccount: createDeleteAccount({ store, clock, ...needs }),
    exportAccount: createExportAccount({
      store,
      clock,
      retention,
      sendingSetup,
      intel,
      log: needs.log,
      places: createExportPlaces(EXPORTS),
    }),
    getRetention: createGetRetention({ store, retention }),
    changeRetention: createChangeRetention({ store, retention, clock }),
    listDeletions: createListDeletions({ store }),
    getDeletion: createGetDeletion({ store }),
  }),
});

interface CreateAccountNeeds extends Pick<Dependencies, "clock"> {
  readonly store: Pick<Store, "accounts" | "forAccount">;
}

/** Makes an account, whose mail is captured until a policy of its own says otherwise. */
function createCreateAccount({ store, clock }: CreateAccountNeeds) {
  return async (
    { name }: CreateAccountRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof CreateAccountResponseSchema>> => {
    const now = clock.now();
    const account = { _id: newId("acc", now), name: readAccountName(name), createdAt: now };
    // First, so that there is no account without it: a policy of no account harms nobody.
    await store.forAccount(account._id).policies.replace(SANDBOX_POLICY, () => sandboxPolicy(now), audit);
    await store.accounts.insert(account, audit);
    return { account: toAccount(account) };
  };
}

/** All accounts, in the order in which they were made. */
function createListAccounts({ store }: Accounts) {
  return async ({
    pageSize,
    pageToken,
  }: ListAccountsRequest): Promise<MessageInitShape<typeof ListAccountsResponseSchema>> => {
    const limit = pageSizeOf(pageSize);
    const after = pageStartOf(pageToken, (token) => (isId("acc", token) ? token : undefined));
    const found = await store.accounts.list({ after, limit: limit + 1 });
    const { entries, nextPageToken } = pageOf(found, limit, ({ _id }) => _id);
    return { accounts: entries.map(toAccount), nextPageToken };
  };
}

function createGetAccount({ store }: Accounts) {
  return async ({
    accountId,
  }: GetAccountRequest): Promise<MessageInitShape<typeof GetAccountResponseSchema>> => {
    return { account: toAccount(await findAccount(store, accountId)) };
  };
}

function createRenameAccount({ store }: Accounts) {
  return async (
    { accountId, name: given, ifRevision }: RenameAccountRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof RenameAccountResponseSchema>> => {
    const name = readAccountName(given);
    const { _id } = await findAccount(store, accountId);
    const account = await store.accounts.rename(_id, name, audit, ifRevision);
    if (!account) throw unknownAccount(_id);
    return { account: toAccount(account) };
  };
}

/**
 * Has the members of an account show a second factor, or no more. Who has shown none does not demand it of others.
 *
 * @throws Fault account.unknown, auth.reauthentication_required, auth.second_factor_missing, resource.stale
 */
function createRequireSecondFactor({ store }: Accounts) {
  return async (
    { accountId, required, ifRevision }: RequireSecondFactorRequest,
    { principal, audit }: Pick<HandlerContext, "principal" | "audit">,
  ): Promise<MessageInitShape<typeof RequireSecondFactorResponseSchema>> => {
    if (principal && required && !principal.hasTwoFactors) throw fault("auth.second_factor_missing");
    const { _id } = await findAccount(store, accountId);
    const account = await store.accounts.requireSecondFactor(_id, required, audit, ifRevision);
    if (!account) throw unknownAccount(_id);
    return { account: toAccount(account) };
  };
}

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

const unknownAccount = (id: string) => fault("account.unknown", { public: `There is no account ${id}.` });

function toAccount(account: AccountDocument): MessageInitShape<typeof AccountSchema> {
  const { _id: id, name, createdAt, requiresSecondFactor = false } = account;
  const revision = accountRevision(account);
  return { id, name, createdAt: timestampFromDate(createdAt), requiresSecondFactor, revision };
}
