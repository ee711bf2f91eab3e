import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { GetStatusResponseSchema } from "../../gen/hermod/status/v1/status_service_pb.ts";
import { runHermod } from "./run-hermod.ts";

const answer = create(GetStatusResponseSchema, {
  program: "0.3.0",
  store: "mongodb",
  schema: { version: 3, knownVersion: 3, madeBy: "0.3.0" },
  migrations: [
    {
      version: 2,
      name: "messages get a bucket",
      background: false,
      state: "done",
      done: 1200n,
      total: 1200n,
      process: "one:1:ab",
      finishedAt: timestampFromDate(new Date("2026-01-02T03:04:05Z")),
    },
    {
      version: 3,
      name: "events too",
      background: true,
      state: "running",
      done: 7n,
      failure: "no\u001broom",
    },
  ],
  processes: [{ id: "one:1:ab", program: "0.3.0", knownVersion: 3, roles: ["core", "edge"] }],
  queue: { partitions: 192, waiting: 100_000, quarantined: 1 },
});
const core = { status: { getStatus: async () => answer } };

it("hermod status shows the version of the database, its migrations, processes and the queue", async () => {
  const { code, out } = await runHermod(["status"], { core });
  expect(code).toBe(0);
  expect(out).toBe(`\
Hermod      0.3.0
Database    MongoDB
Schema      3, created by Hermod 0.3.0
Waiting     100000 or more, in 192 partitions
Quarantine  1

MIGRATION  NAME                   STATE            DOCUMENTS     DONE AT
2          messages get a bucket  done             1200 of 1200  2026-01-02 03:04:05 UTC
3          events too             failed: no room  7

PROCESS   RELEASE  SCHEMA  ROLES
one:1:ab  0.3.0    3       core,edge
`);
});

it("hermod status --json reports that the count of waiting messages is cut off", async () => {
  const { out } = await runHermod(["status", "--json"], { core });
  expect(JSON.parse(out).queue).toMatchObject({ waiting: 100_000, waiting_is_more: true });
});
