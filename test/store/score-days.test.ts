import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Audit } from "../../src/shared/audit.ts";
import type { DomainTally } from "../../src/store/intel-documents.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { testAudit } from "../harness/audit.ts";
import { repetitions } from "../harness/repetitions.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";
import { clientSettings, lookedAt, newWatch } from "../harness/watched-domain.ts";

const DAY_MS = 86_400_000;
const BEGIN_MS = Date.parse("2030-01-01T12:00:00Z");

let opened: TestStore;
let store: Store;
let count = 0;

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());

/** A domain of the model. */
interface Modeled {
  readonly id: string;
  client: number;
  score: number | null;
}

const operation = fc.oneof(
  fc.record({ kind: fc.constant("add" as const), client: fc.nat(1) }),
  fc.record({ kind: fc.constant("check" as const), of: fc.nat(9), score: fc.option(fc.nat(100)) }),
  fc.record({ kind: fc.constant("move" as const), of: fc.nat(9), client: fc.nat(1) }),
  fc.record({ kind: fc.constant("pause" as const), of: fc.nat(9) }),
  fc.record({ kind: fc.constant("remove" as const), of: fc.nat(9) }),
  fc.record({ kind: fc.constant("pass" as const), days: fc.integer({ min: 1, max: 3 }) }),
);

const sumsOf = (domains: readonly Modeled[]) => ({
  domains: domains.length,
  scored: domains.filter(({ score }) => score !== null).length,
  scoreSum: domains.reduce((sum, { score }) => sum + (score ?? 0), 0),
});
const partOf = ({ domains, scored, scoreSum }: DomainTally) => ({ domains, scored, scoreSum });

it("keep the sums of clients and workspaces at the end of each day, for any changes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 25 }), async (operations) => {
      const accountId = `acc_days_${count++}`;
      const { workspaces, watches } = store.forAccount(accountId);
      let nowMs = BEGIN_MS;
      const now = () => new Date(nowMs);
      const audit: Audit = { ...testAudit, now };
      const { _id: workspaceId } = await workspaces.first(audit);
      const clients: string[] = [];
      for (const name of ["One", "Two"]) {
        const created = await workspaces.createClient(workspaceId, { ...clientSettings, name }, audit);
        if (!("client" in created)) throw new Error("the client was there");
        clients.push(created.client._id);
      }
      const modeled: Modeled[] = [];
      /** Expected sums of the scopes at the end of each day, by day. */
      const expected = new Map<string, readonly object[]>();
      const scopes = [workspaceId, ...clients];
      const note = () =>
        expected.set(now().toISOString().slice(0, 10), [
          sumsOf(modeled),
          ...clients.map((_, client) => sumsOf(modeled.filter((one) => one.client === client))),
        ]);
      for (const one of operations) {
        const of = "of" in one ? modeled[one.of % Math.max(1, modeled.length)] : undefined;
        if (one.kind === "pass") nowMs += one.days * DAY_MS;
        else if (one.kind === "add") {
          const clientId = clients[one.client] ?? "";
          const added = await watches.add(
            newWatch({ workspaceId, clientId, name: `n${count++}.example` }),
            audit,
          );
          if (!("domain" in added)) throw new Error("the domain was there");
          modeled.push({ id: added.domain._id, client: one.client, score: null });
        } else if (of && one.kind === "check") {
          const domain = await watches.find(of.id);
          if (!domain) throw new Error("the domain is gone");
          const { clientId, name } = domain;
          const looked = lookedAt({ accountId, workspaceId, clientId, domainId: of.id, domain: name }, now());
          const { point: _, ...result } = { ...looked, changes: [], events: [] };
          const standing = { ...looked.standing, score: one.score };
          await store.acrossAccounts.watches.keep(domain, { ...result, standing }, undefined);
          of.score = one.score;
        } else if (of && one.kind === "move") {
          await watches.amend(of.id, { clientId: clients[one.client] ?? "" }, audit);
          of.client = one.client;
        } else if (of && one.kind === "pause") await watches.amend(of.id, { paused: true }, audit);
        else if (of && one.kind === "remove") {
          await watches.remove(of.id, audit);
          modeled.splice(modeled.indexOf(of), 1);
        }
        note();
      }
      const days = [...expected.keys()].sort();
      const last = days.at(-1) ?? "";
      for (const [index, scope] of scopes.entries()) {
        const stored = await watches.scoreDays(scope, "2030-01-01", last);
        for (const day of days) {
          const before = stored.filter(({ _id }) => _id <= `${scope}.${day}`).at(-1);
          const sums = before ? partOf(before.tally) : sumsOf([]);
          expect([scope, day, sums]).toEqual([scope, day, expected.get(day)?.[index]]);
        }
      }
    }),
    { numRuns: repetitions(10, 100) },
  );
});
