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
} from "../../gen/hermod/account/v1/account_service_pb.ts";
import { defineArea } from "../rpc/area.ts";
import { OPERATOR_ONLY, permitted } from "../rpc/callers.ts";
import { fault, validationFault } from "../shared/fault.ts";
import { isId, newId } from "../shared/ids.ts";
import type { AccountDocument } from "../store/documents.ts";
import type { Store } from "../store/store.ts";
import type { Dependencies } from "./dependencies.ts";
import { pageOf, pageSizeOf, pageStartOf } from "./page.ts";
import { SANDBOX_POLICY, sandboxPolicy } from "./policies/sandbox-policy.ts";

type Accounts = { readonly store: Pick<Store, "accounts"> };

/** Accounts: who is in one sees nothing of another. */
export const accounts = defineArea({
  service: AccountService,
  callers: {
    createAccount: OPERATOR_ONLY,
    listAccounts: OPERATOR_ONLY,
    getAccount: permitted("account.read"),
    renameAccount: permitted("account.write"),
  },
  handlers: ({ store, clock }: Pick<Dependencies, "store" | "clock">) => ({
    createAccount: createCreateAccount({ store, clock }),
    listAccounts: createListAccounts({ store }),
    getAccount: createGetAccount({ store }),
    renameAccount: createRenameAccount({ store }),
  }),
});

const MAX_NAME_LENGTH = 100;

interface CreateAccountNeeds extends Pick<Dependencies, "clock"> {
  readonly store: Pick<Store, "accounts" | "forAccount">;
}

/** Makes an account, whose mail is captured until a policy of its own says otherwise. */
function createCreateAccount({ store, clock }: CreateAccountNeeds) {
  return async ({
    name,
  }: CreateAccountRequest): Promise<MessageInitShape<typeof CreateAccountResponseSchema>> => {
    const now = clock.now();
    const account = { _id: newId("acc", now), name: readName(name), createdAt: now };
    // First, so that there is no account without it: a policy of no account harms nobody.
    await store.forAccount(account._id).policies.replace(SANDBOX_POLICY, () => sandboxPolicy(now));
    await store.accounts.insert(account);
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
  return async ({
    accountId,
    name: given,
  }: RenameAccountRequest): Promise<MessageInitShape<typeof RenameAccountResponseSchema>> => {
    const name = readName(given);
    const account = await findAccount(store, accountId);
    await store.accounts.rename(account._id, name);
    return { account: toAccount({ ...account, name }) };
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
  throw fault("account.unknown", { public: `There is no account ${_id}.` });
}

/** @throws Fault request.validation_failed */
function readName(given: string): string {
  const name = given.trim();
  if (name === "") {
    throw validationFault([{ pointer: "/name", code: "field.required", message: "An account has a name." }]);
  }
  if (name.length <= MAX_NAME_LENGTH) return name;
  const message = `A name has up to ${MAX_NAME_LENGTH} characters.`;
  throw validationFault([{ pointer: "/name", code: "field.too_long", message }]);
}

function toAccount({ _id, name, createdAt }: AccountDocument): MessageInitShape<typeof AccountSchema> {
  return { id: _id, name, createdAt: timestampFromDate(createdAt) };
}
