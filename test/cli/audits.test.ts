import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import {
  EntrySchema,
  ExportEntriesResponseSchema,
  ListEntriesResponseSchema,
} from "../../gen/hermod/audit/v1/audit_service_pb.ts";
import { runHermod } from "./run-hermod.ts";

const at = new Date("2030-01-02T09:00:00Z");
const entry = create(EntrySchema, {
  id: "aud_1",
  accountId: "acc_1",
  at: timestampFromDate(at),
  actor: { kind: "user", id: "usr_1", name: "ada@example.com" },
  clientAddress: "192.0.2.1",
  action: "key.rename",
  target: { kind: "key", id: "key_1", name: "store\u001b[2J" },
  changes: [
    { field: "name", before: '"shop"', after: '"store"' },
    { field: "passwordHash", secret: true },
  ],
  outcome: "changed",
  count: 1,
  traceId: "sx_1",
});

it("hermod audit list shows actors and actions, safe for a terminal", async () => {
  const asked: unknown[] = [];
  const listEntries = async (request: unknown) => {
    asked.push(request);
    return create(ListEntriesResponseSchema, { entries: [entry], nextPageToken: "aud_1" });
  };
  const core = { audits: { listEntries } };
  const filter = ["--actor", "usr_1", "--action", "key", "--outcome", "changed", "--from", at.toISOString()];
  const { out, err } = await runHermod(["audit", "list", "--account", "acc_1", "--limit", "1", ...filter], {
    core,
  });
  expect(asked).toMatchObject([
    {
      accountId: "acc_1",
      installation: false,
      filter: { actorId: "usr_1", action: "key", outcome: "changed", from: timestampFromDate(at) },
      pageSize: 1,
    },
  ]);
  expect(out).toContain("2030-01-02 09:00:00 UTC  ada@example.com  192.0.2.1  key.rename  key store");
  expect(out).toContain('name: "shop" -> "store", passwordHash (secret)');
  expect(out).not.toContain("\u001b");
  expect(err).toContain("--cursor aud_1");
  const { data } = JSON.parse((await runHermod(["audit", "list", "--limit", "1", "--json"], { core })).out);
  expect(data).toMatchObject([
    { id: "aud_1", changes: [{ before: '"shop"' }, { secret: true }], since: null },
  ]);
});

it("hermod audit export streams the parts", async () => {
  const asked: unknown[] = [];
  async function* exportEntries(request: unknown) {
    asked.push(request);
    yield create(ExportEntriesResponseSchema, { data: Buffer.from("id,at\r\n") });
    yield create(ExportEntriesResponseSchema, { data: Buffer.from("aud_1,ü\r\n") });
  }
  const core = { audits: { exportEntries } };
  const { out, code } = await runHermod(["audit", "export", "--installation"], { core });
  expect([out, code]).toEqual(["id,at\r\naud_1,ü\r\n", 0]);
  await runHermod(["audit", "export", "--json"], { core });
  expect(asked).toMatchObject([
    { installation: true, accountId: "", format: "csv" },
    { installation: false, format: "ndjson" },
  ]);
});
