import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import {
  AccountSchema,
  CreateAccountResponseSchema,
  DeleteAccountResponseSchema,
  GetAccountResponseSchema,
  ListAccountsResponseSchema,
  RenameAccountResponseSchema,
} from "../../gen/hermod/account/v1/account_service_pb.ts";
import { runHermod } from "./run-hermod.ts";

const account = create(AccountSchema, { id: "acc_1", name: "Acme\u0007" });
const json = { id: "acc_1", name: "Acme\u0007", created_at: null, requires_second_factor: false };

it("hermod account create writes the id alone, for a script", async () => {
  const asked: unknown[] = [];
  const createAccount = async (request: unknown) => {
    asked.push(request);
    return create(CreateAccountResponseSchema, { account });
  };
  const ran = await runHermod(["account", "create", "Acme"], { core: { accounts: { createAccount } } });
  expect(asked).toEqual([{ name: "Acme" }]);
  expect(ran.out).toBe("acc_1\n");
  expect(ran.err).toContain("hermod user create --account acc_1");
  expect(ran.err).not.toContain("\u0007");
});

it("hermod account list shows them, page by page", async () => {
  const listAccounts = async ({ pageToken = "" }: { pageToken?: string }) =>
    create(ListAccountsResponseSchema, {
      accounts: [account],
      nextPageToken: pageToken === "" ? "next" : "",
    });
  const core = { accounts: { listAccounts } };
  const { out } = await runHermod(["account", "list", "--json"], { core });
  expect(JSON.parse(out).data).toEqual([json, json]);
  expect((await runHermod(["account", "list"], { core })).out.split("\n")).toHaveLength(4);
});

it("hermod account rename names the account", async () => {
  const asked: unknown[] = [];
  const renameAccount = async (request: unknown) => {
    asked.push(request);
    return create(RenameAccountResponseSchema, { account });
  };
  const core = { accounts: { renameAccount } };
  await runHermod(["account", "rename", "Acme", "--account", "acc_1"], { core });
  expect(asked).toEqual([{ accountId: "acc_1", name: "Acme" }]);
});

it("hermod account delete says what goes, and does it with --yes alone", async () => {
  const deleted: unknown[] = [];
  const getAccount = async () => create(GetAccountResponseSchema, { account });
  const deleteAccount = async (request: unknown) => {
    deleted.push(request);
    return create(DeleteAccountResponseSchema, {});
  };
  const core = { accounts: { getAccount, deleteAccount } };
  const asked = await runHermod(["account", "delete", "acc_1"], { core });
  expect(asked.code).toBe(1);
  expect(asked.err).toMatch(/deletes the account acc_1 \("Acme.*"\) for good: .*messages.*--yes/s);
  expect(asked.err).not.toContain("\u0007");
  expect(deleted).toEqual([]);
  const done = await runHermod(["account", "delete", "acc_1", "--yes", "--json"], { core });
  expect(JSON.parse(done.out)).toEqual({ deleted: "acc_1" });
  expect(deleted).toEqual([{ accountId: "acc_1" }]);
});
