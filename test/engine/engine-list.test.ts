import { afterAll, beforeAll, expect, it } from "vitest";
import { COMMON_FIELDS } from "../../src/engine/commands/command.ts";
import { COUNT_STAGES } from "../../src/engine/commands/count.ts";
import { COMMANDS } from "../../src/engine/commands/dispatch.ts";
import { INDEX_FIELDS } from "../../src/engine/commands/index-spec.ts";
import { EXPRESSION_OPERATORS, EXPRESSION_VARIABLES } from "../../src/engine/query/expression.ts";
import { FIELD_OPERATORS, TOP_LEVEL_OPERATORS } from "../../src/engine/query/parse-filter.ts";
import { PROJECTION_FORMS } from "../../src/engine/query/projection.ts";
import { UPDATE_OPERATORS } from "../../src/engine/update/operators.ts";
import { UPDATE_STAGES } from "../../src/engine/update/parse-update.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { connectStore, type StoreConnection } from "../../src/store/connect.ts";
import { createIndexes } from "../../src/store/indexes.ts";
import { withNamedLock } from "../../src/store/named-lock.ts";
import { hasClearSecrets, missingSecretKeys } from "../../src/store/sealing/missing-keys.ts";
import { createStore } from "../../src/store/store.ts";
import { testAudit } from "../harness/audit.ts";
import { testSealing } from "../harness/sealing.ts";
import { operationsIn } from "../harness/sent-operations.ts";
import { accountId, storeCalls } from "../harness/store-calls.ts";
import { type RunningEngine, startEngine } from "./harness.ts";

/** Commands and options that the engine serves without the store, with the reason. The list must stay short. */
const KEPT: Readonly<Record<string, string>> = {
  ismaster: "the first message of a connection, which the driver does not report",
  killCursors: "the driver, for a result that is left before its end",
  "killCursors.cursors": "as above",
  dropDatabase: "tests and benchmarks clean up",
  listIndexes: "migrations: an index that has changed",
  "listIndexes.cursor": "as above",
  dropIndexes: "as above",
  "dropIndexes.index": "as above",
  drop: "migrations: a collection that is no longer needed",
  "getMore.batchSize": "messages: exports are streamed",
  "filter $and": "messages: several words are looked for at once",
};

let engine: RunningEngine;
let connection: StoreConnection;
const sent = new Set<string>();
const common = new Set<string>();

beforeAll(async () => {
  engine = await startEngine();
  const url = `${engine.url}&monitorCommands=true`;
  connection = await connectStore({ url, database: "hermod", log: createLogger("silent") });
  connection.db.client.on("commandStarted", (event) => {
    for (const operation of operationsIn(event)) {
      const field = operation.slice(operation.indexOf(".") + 1);
      if (operation.startsWith(`${event.commandName}.`) && COMMON_FIELDS.includes(field)) common.add(field);
      else sent.add(operation);
    }
  });
});
afterAll(async () => {
  await connection.close();
  await engine.close();
});

/** All operations of the store, with the commands that drivers add. */
async function sendEverything(): Promise<void> {
  const { db } = connection;
  const store = createStore(db, testSealing);
  await connection.ping();
  await connection.time();
  await createIndexes(db);
  for (const call of Object.values(storeCalls)) await call(store);
  await missingSecretKeys(db, testSealing);
  await hasClearSecrets(db);
  await withNamedLock(db, "turn", async () => undefined);
  const giveUp = () => {
    throw new Error("not this time");
  };
  await expect(store.forAccount(accountId).policies.replace("none", giveUp, testAudit)).rejects.toThrow();
  // More than one batch.
  const messageId = "msg_long";
  const at = new Date();
  const events = Array.from({ length: 150 }, (_, n) => ({
    _id: `${messageId}.${n}.queued`,
    messageId,
    accountId,
    at,
    expireAt: at,
  }));
  await store.acrossAccounts.events.insertMissing(events as never);
  expect(await store.acrossAccounts.events.listOfMessage(messageId)).toHaveLength(150);
}

function served(): string[] {
  const commands = [...COMMANDS].flatMap(([name, { fields = [], statements }]) => [
    name,
    ...fields.map((field) => `${name}.${field}`),
    ...(statements ? [`${name}.${statements.list}`] : []),
    ...(statements?.fields ?? []).map((field) => `${name}.${statements?.list}.${field}`),
  ]);
  const named = (kind: string, names: Iterable<string>) => [...names].map((name) => `${kind} ${name}`);
  return [
    ...commands,
    ...named("filter", [...TOP_LEVEL_OPERATORS.keys(), ...FIELD_OPERATORS.keys()]),
    ...named("update", UPDATE_OPERATORS.keys()),
    ...named("pipeline", UPDATE_STAGES),
    ...named("expression", [...EXPRESSION_OPERATORS.keys(), ...EXPRESSION_VARIABLES]),
    ...named("count", COUNT_STAGES),
    ...named("projection", PROJECTION_FORMS),
    ...named("index", INDEX_FIELDS),
  ];
}

it("serves the commands of the store, listed exceptions, and nothing else", async () => {
  await sendEverything();
  await connection.close();
  expect(Object.keys(KEPT).filter((operation) => sent.has(operation))).toEqual([]);
  expect([...sent, ...Object.keys(KEPT)].sort()).toEqual(served().sort());
  expect([...common].sort()).toEqual([...COMMON_FIELDS].sort());
});
