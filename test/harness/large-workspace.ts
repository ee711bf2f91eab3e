import type { Db } from "mongodb";
import type { Evidence } from "../../src/intel/check-result.ts";
import { newId } from "../../src/shared/ids.ts";
import type {
  ScorePointDocument,
  WatchedChecksDocument,
  WatchedDomainDocument,
} from "../../src/store/intel-documents.ts";
import { createStore } from "../../src/store/store.ts";
import { testAudit } from "./audit.ts";
import { reportInputs } from "./report-inputs.ts";
import { testSealing } from "./sealing.ts";
import { clientSettings, lookedAt, newWatch } from "./watched-domain.ts";

const DAY_MS = 86_400_000;

/** Typical amount of evidence of an SPF check. */
const evidenceOf = (name: string): Evidence[] =>
  Array.from({ length: 3 }, () => ({
    name,
    type: "TXT",
    rcode: "NOERROR",
    ttlSeconds: 300,
    at: new Date(),
    data: [`v=spf1 ${"ip4:192.0.2.25 ".repeat(12)}-all`],
  }));

/** Creates a client with many domains, each with results of all checks, a month of scores, and no due check. */
export async function plantDomains(
  db: Db,
  accountId: string,
  count: number,
): Promise<{ readonly clientId: string }> {
  const { forAccount, acrossAccounts } = createStore(db, testSealing);
  const { workspaces, watches } = forAccount(accountId);
  const { _id: workspaceId } = await workspaces.first(testAudit);
  const settings = { ...clientSettings, name: "Nordwind Handels AG" };
  const created = await workspaces.createClient(workspaceId, settings, testAudit);
  if (!("client" in created)) throw new Error("the client was there");
  const { _id: clientId } = created.client;
  const now = new Date();
  const expireAt = new Date(now.getTime() + DAY_MS);
  const points: ScorePointDocument[] = [];
  const domains: WatchedDomainDocument[] = [];
  const checks: WatchedChecksDocument[] = [];
  let template: WatchedDomainDocument | undefined;
  for (const { name, role, results, history } of reportInputs({ domains: count }).domains) {
    // The others copy the first one, which the store has created.
    template ??= await lookedAtDomain(name);
    const domainId = domains.length === 0 ? template._id : newId("dom", now);
    domains.push({ ...template, _id: domainId, name, searchKeys: [name], role, dueAt: expireAt });
    const known = { evidence: evidenceOf(name), since: now, at: now };
    checks.push({
      _id: domainId,
      accountId,
      listed: [],
      checks: results.map(({ id, status, observed, expected, fix }) => ({
        id,
        expected,
        checkedAt: now,
        known: {
          ...known,
          status: status === "error" ? "not_tested" : status,
          observed,
          ...(fix && { fix }),
        },
      })),
    });
    for (const [day, { score, coverage, scoreModel }] of history.entries())
      points.push({
        _id: `${domainId}.month.${day}`,
        accountId,
        workspaceId,
        domainId,
        status: "warning",
        expireAt,
        at: new Date(now.getTime() - (31 - day) * DAY_MS),
        score,
        coverage,
        scoreModel,
      });
  }

  async function lookedAtDomain(name: string): Promise<WatchedDomainDocument> {
    const added = await watches.add(newWatch({ workspaceId, clientId, name }), testAudit);
    if (!("domain" in added)) throw new Error("the domain was there");
    const looked = lookedAt(
      { accountId, workspaceId, clientId, domainId: added.domain._id, domain: name },
      now,
    );
    const kept = await acrossAccounts.watches.keep(added.domain, looked, undefined);
    if (!kept) throw new Error("the domain has changed");
    return kept;
  }

  const domainCollection = db.collection<WatchedDomainDocument>("watchedDomains");
  const checkCollection = db.collection<WatchedChecksDocument>("watchedChecks");
  const { _id: first = "" } = domains[0] ?? {};
  await domainCollection.deleteOne({ _id: first });
  await checkCollection.deleteOne({ _id: first });
  for (let at = 0; at < count; at += 50) {
    await domainCollection.insertMany(domains.slice(at, at + 50));
    await checkCollection.insertMany(checks.slice(at, at + 50));
  }
  for (let at = 0; at < points.length; at += 1_000)
    await db.collection<ScorePointDocument>("scorePoints").insertMany(points.slice(at, at + 1_000));
  return { clientId };
}
