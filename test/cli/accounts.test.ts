import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import {
  AccountSchema,
  CreateAccountResponseSchema,
  DeleteAccountResponseSchema,
  ExportAccountResponseSchema,
  GetAccountResponseSchema,
  RenameAccountResponseSchema,
} from "../../gen/hermod/account/v1/account_service_pb.ts";
import { fault } from "../../src/shared/fault.ts";
import { runHermod } from "./run-hermod.ts";

const account = create(AccountSchema, { id: "acc_1", name: "Acme\u0007", revision: "r1" });
const _json = {
  id: "acc_1",
  name: "Acme\u0007",
  created_at: null,
  requires_second_factor: false,
  revision: "r1",
};

it("hermod account create writes only the id, for a script", async () => {
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

it("hermod account export streams the parts, with bodies on request", async () => {
  const asked: unknown[] = [];
  async function* exportAccount(request: unknown) {
    asked.push(request);
    for (const text of ['{"kind":"account"}\n', "", '{"kind":"end"}\n'])
      yield create(ExportAccountResponseSchema, { data: Buffer.from(text) });
  }
  const core = { accounts: { exportAccount } };
  const { out, err } = await runHermod(["account", "export", "acc_1"], { core });
  expect([out, err]).toEqual(['{"kind":"account"}\n{"kind":"end"}\n', ""]);
  await runHermod(["account", "export", "acc_1", "--bodies"], { core });
  expect(asked).toEqual([
    { accountId: "acc_1", bodies: false },
    { accountId: "acc_1", bodies: true },
  ]);
});

it("hermod account export reports an interruption, and fails", async () => {
  async function* exportAccount() {
    yield create(ExportAccountResponseSchema, { data: Buffer.from('{"kind":"account"}\n') });
    throw fault("store.unavailable");
  }
  const { out, err, code } = await runHermod(["account", "export", "acc_1"], {
    core: { accounts: { exportAccount } },
  });
  expect(out).toBe('{"kind":"account"}\n');
  expect(err).toContain("The database did not confirm");
  expect(code).not.toBe(0);
});

it("hermod account delete lists what would be removed, and deletes only with --yes", async () => {
  const deleted: unknown[] = [];
  const getAccount = async () => create(GetAccountResponseSchema, { account });
  const deleteAccount = async (request: unknown) => {
    deleted.push(request);
    return create(DeleteAccountResponseSchema, {});
  };
  const core = { accounts: { getAccount, deleteAccount } };
  const asked = await runHermod(["account", "delete", "acc_1"], { core });
  expect(asked.code).toBe(1);
  expect(asked.err).toMatch(/deletes the account acc_1 \("Acme.*"\): .*messages.*--yes/s);
  expect(asked.err).not.toContain("\u0007");
  expect(deleted).toEqual([]);
  const done = await runHermod(["account", "delete", "acc_1", "--yes", "--json"], { core });
  expect(JSON.parse(done.out)).toEqual({ deleted: "acc_1" });
  expect(deleted).toEqual([{ accountId: "acc_1" }]);
});
