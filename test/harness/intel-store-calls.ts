import { newId } from "../../src/shared/ids.ts";
import type { BlacklistStateDocument } from "../../src/store/intel-documents.ts";
import type { AccountStore, AcrossAccounts, Store } from "../../src/store/store.ts";
import { testAudit } from "./audit.ts";
import { addSchedule, askedWork, holdSchedule, scheduleSettings } from "./schedules.ts";
import type { Calls } from "./store-calls.ts";
import {
  believedReports,
  clientSettings,
  keyedRequest,
  lookedAt,
  newWatch,
  refusalAt,
  reportOf,
  SUBJECT,
} from "./watched-domain.ts";

const page = { limit: 50 };
const days = { first: "2000-01-01", last: "2100-01-01" };

const watchOrderNames = ["name", "-score", "last_check_at"] as const;

/** Every single filter of domains, and some combinations. */
const watchFilters = [
  {},
  { id: "dom_1" },
  { name: "example.com" },
  { clientId: "cl_1" },
  { status: "critical" },
  { role: "parked" },
  { grade: "F" },
  { finding: "auth.spf.exists" },
  { search: "exam" },
  { tag: "shop" },
  { clientId: "cl_1", status: "critical", finding: "auth.spf.exists", search: "exam", role: "sending" },
] as const;

/** Every single filter of subjects, and some combinations. */
const blacklistFilters = [
  { listIds: ["spamcop"] },
  { listIds: ["spamcop"], keys: [SUBJECT] },
  { listIds: ["spamcop"], subject: "192.0.2.25" },
  { listIds: ["spamcop"], state: "listed" },
  { listIds: ["spamcop"], state: "listed", subject: "192.0.2.25" },
  { listIds: ["spamcop"], state: "listed", keys: [SUBJECT] },
] as const;

/** Every single filter of reports, and some combinations. */
const reportFilters = [
  {},
  { scopeType: "client" },
  { scopeId: "cl_1" },
  { from: new Date(0), until: new Date("2100-01-01") },
  { scopeType: "client", scopeId: "cl_1", from: new Date(0), until: new Date("2100-01-01") },
] as const;

interface IntelCallsOptions {
  readonly accountId: string;
  readonly now: Date;
  /** After the end of the slowest run. */
  readonly later: Date;
}

/** Returns the store functions of Deliverability Intel, with every form of their queries. */
export function createIntelCalls({ accountId, now, later }: IntelCallsOptions) {
  let added = 0;
  const keyedBy = (workspaceId: string) =>
    keyedRequest(workspaceId, { key: `k${added++}`, now, answer: "answer" });

  async function newClient({ workspaces }: AccountStore) {
    const { _id: workspaceId } = await workspaces.first(testAudit);
    const n = added++;
    const settings = { ...clientSettings, name: `Client ${n}`, externalRef: `ref ${n}` };
    const created = await workspaces.createClient(workspaceId, settings, testAudit, keyedBy(workspaceId));
    if (!("client" in created)) throw new Error("the client was there");
    return created.client;
  }

  async function newWatchedDomain(account: AccountStore) {
    const { _id: clientId, workspaceId } = await newClient(account);
    const watch = newWatch({ workspaceId, clientId, name: `n${added++}.example` });
    const done = await account.watches.add(watch, testAudit, keyedBy(workspaceId));
    if (!("domain" in done)) throw new Error("the domain was there");
    return done.domain;
  }

  async function newReport({ workspaces, reports }: AccountStore) {
    const { _id: workspaceId } = await workspaces.first(testAudit);
    const { report, files } = reportOf({ accountId, workspaceId, domain: `n${added++}.example` }, now);
    await reports.add(report, files, testAudit);
    return report;
  }

  async function newLink(account: AccountStore) {
    const { _id: reportId } = await newReport(account);
    const link = { _id: newId("rpl", now), reportId, endsAt: later, note: "For the board" };
    const stored = await account.reportLinks.add(link, testAudit);
    if (!stored) throw new Error("the report is missing");
    return stored;
  }

  /** A domain of the store's account with the results of a check. */
  async function lookedAtDomain({
    forAccount,
    acrossAccounts,
  }: Pick<Store, "forAccount" | "acrossAccounts">) {
    const domain = await newWatchedDomain(forAccount(accountId));
    const { _id: domainId, workspaceId, clientId, name } = domain;
    const looked = lookedAt({ accountId, workspaceId, clientId, domainId, domain: name }, now);
    await acrossAccounts.watches.keep(domain, looked, later);
    return { domain, looked };
  }

  const heldSchedule = ({ forAccount, acrossAccounts }: Pick<Store, "forAccount" | "acrossAccounts">) =>
    holdSchedule(forAccount(accountId), acrossAccounts, { now, until: later });

  /** The last domain of a page in this order. */
  const placeIn = (order: (typeof watchOrderNames)[number]) => ({
    id: "dom_1",
    rank: order === "name" ? "example.com" : order === "-score" ? 40 : now,
  });

  const blacklistState: BlacklistStateDocument = {
    _id: SUBJECT,
    listId: "spamcop",
    subject: "192.0.2.25",
    additions: 1,
    kind: "ip4",
    state: "listed",
    dueAt: later,
    untold: true,
  };

  const account: Calls<AccountStore> = {
    "workspaces.first": async ({ workspaces }) => {
      for (const _ of [1, 2]) await workspaces.first(testAudit);
    },
    "workspaces.find": ({ workspaces }) => workspaces.find("ws_1"),
    "workspaces.list": ({ workspaces }) => workspaces.list(),
    "workspaces.create": ({ workspaces }) => workspaces.create("Another", testAudit),
    "workspaces.rename": async ({ workspaces }) => {
      const { _id } = await workspaces.first(testAudit);
      for (const id of [_id, "ws_none"]) await workspaces.rename(id, "Renamed", testAudit);
    },
    "workspaces.findClient": ({ workspaces }) => workspaces.findClient("cl_1"),
    "workspaces.findClients": ({ workspaces }) => workspaces.findClients(["cl_1", "cl_2"]),
    "workspaces.listClients": async ({ workspaces }) => {
      const filters = [
        {},
        { search: "cli" },
        { status: "active" },
        { tag: "retail" },
        { externalRef: "ref" },
        { search: "cli", status: "active", tag: "retail" },
      ] as const;
      for (const filter of filters)
        for (const after of [undefined, "a"])
          await workspaces.listClients("ws_1", filter, { ...page, after });
    },
    "workspaces.findClientsNamed": ({ workspaces }) =>
      workspaces.findClientsNamed("ws_1", { names: ["Client", "Other"], refs: ["ref"] }),
    "workspaces.createClient": newClient,
    "workspaces.removeClient": async (account) => {
      await account.workspaces.removeClient((await newClient(account))._id, testAudit);
      const { clientId } = await newWatchedDomain(account);
      await account.workspaces.removeClient(clientId, testAudit, { withDomains: true });
    },
    "workspaces.updateClient": async (account) => {
      const { _id } = await newClient(account);
      for (const status of ["archived", "active"] as const)
        await account.workspaces.updateClient(_id, { ...clientSettings, name: _id }, status, testAudit);
    },
    "watches.find": ({ watches }) => watches.find("dom_1"),
    "watches.list": async ({ watches }) => {
      for (const order of watchOrderNames)
        for (const filter of watchFilters)
          for (const after of [undefined, placeIn(order)])
            await watches.list("ws_1", filter, order, { ...page, after });
    },
    "watches.findNames": ({ watches }) => watches.findNames("ws_1", ["example.com", "example.org"]),
    "watches.findOwners": ({ watches }) => watches.findOwners("ws_1", ["example.com", "example.org"]),
    "watches.findNamesOf": ({ watches }) => watches.findNamesOf("ws_1", ["dom_1", "dom_2"]),
    "watches.count": async ({ watches }) => {
      for (const filter of watchFilters) await watches.count("ws_1", filter, 100);
    },
    "watches.amend": async (account) => {
      const { _id } = await newWatchedDomain(account);
      const { _id: clientId } = await newClient(account);
      for (const paused of [true, true, false]) await account.watches.amend(_id, { paused }, testAudit);
      await account.watches.amend(_id, { clientId }, testAudit);
      await account.watches.amend(_id, { tags: (former) => [...former, "shop"], notes: "A note" }, testAudit);
    },
    "watches.subjectsOfClient": ({ watches }) => watches.subjectsOfClient("ws_1", "cl_1"),
    "watches.findChecks": ({ watches }) => watches.findChecks(["dom_1", "dom_2"]),
    "watches.findOutcomes": ({ watches }) => watches.findOutcomes(["dom_1", "dom_2"]),
    "watches.history": async ({ watches }) => {
      for (const since of [undefined, now]) await watches.history("dom_1", since);
    },
    "watches.pointBefore": ({ watches }) => watches.pointBefore("dom_1", now),
    "watches.changesSince": ({ watches }) => watches.changesSince("ws_1", "dom_1", now, 10),
    "watches.listChanges": async ({ watches }) => {
      for (const filter of [{}, { domainId: "dom_1" }, { clientId: "cl_1" }, { since: now, until: later }])
        for (const after of [undefined, "wch_1"])
          await watches.listChanges("ws_1", filter, { ...page, after });
    },
    "watches.add": newWatchedDomain,
    "watches.update": async (account) => {
      const { _id, workspaceId, name } = await newWatchedDomain(account);
      const other = await newClient(account);
      const { role, dkimSelectors, sendingIps } = newWatch({ workspaceId, clientId: other._id, name });
      const changed = { role, dkimSelectors, sendingIps, paused: true, subjects: ["spamcop 192.0.2.26"] };
      await account.watches.update(_id, changed, other._id, testAudit);
    },
    "watches.mute": async (account) => {
      const { _id } = await newWatchedDomain(account);
      for (const until of [later, undefined])
        await account.watches.mute(
          _id,
          { checkId: "auth.spf.exists", until, reason: "It is known." },
          testAudit,
        );
    },
    "watches.scoreDays": ({ watches }) => watches.scoreDays("ws_1", "2030-01-01", "2030-02-01"),
    "watches.eachOfScope": async ({ watches }) => {
      for (const clientId of [undefined, "cl_1"])
        for (const checkId of [undefined, "auth.spf.exists"])
          await watches.eachOfScope({ workspaceId: "ws_1", clientId }, checkId, async () => undefined);
    },
    "watches.listMuted": async ({ watches }) => {
      for (const clientId of [undefined, "cl_1"])
        await watches.listMuted({ workspaceId: "ws_1", clientId }, now);
    },
    "watches.ask": async (account) => {
      const domain = await newWatchedDomain(account);
      await account.watches.ask(domain, now);
      await account.watches.ask({ ...domain, askedAt: now }, later);
    },
    "watches.remove": async (account) => {
      const { _id } = await newWatchedDomain(account);
      await account.watches.remove(_id, testAudit);
    },
    "blacklists.list": async ({ blacklists }) => {
      for (const filter of blacklistFilters)
        for (const after of [undefined, SUBJECT]) await blacklists.list("ws_1", filter, { ...page, after });
    },
    "blacklists.count": async ({ blacklists }) => {
      for (const filter of blacklistFilters) await blacklists.count("ws_1", filter);
    },
    "blacklists.concerned": ({ blacklists }) => blacklists.concerned("ws_1", [SUBJECT]),
    "sendingDays.read": ({ sendingDays }) => sendingDays.read("example.com", "2030-01-01"),
    "reports.add": async ({ reports, workspaces }) => {
      const { _id: workspaceId } = await workspaces.first(testAudit);
      const { report, files } = reportOf({ accountId, workspaceId, domain: `n${added++}.example` }, now);
      await reports.add(report, files, testAudit, keyedBy(workspaceId));
    },
    "reports.reserve": ({ reports }) =>
      reports.reserve(
        reportOf({ accountId, workspaceId: "ws_2", domain: "example.com" }, now).report,
        keyedBy("ws_2"),
      ),
    "reports.writeFile": ({ reports }) =>
      reports.writeFile("rpt_2", { format: "json", bytes: Buffer.from("{}") }, later),
    "reports.readFile": ({ reports }) => reports.readFile("rpt_2", "json"),
    "reports.findAnswer": ({ reports }) => reports.findAnswer(keyedBy("ws_1")),
    "reports.find": ({ reports }) => reports.find("rpt_1"),
    "reports.list": async ({ reports }) => {
      for (const filter of reportFilters)
        for (const after of [undefined, "rpt_1"]) await reports.list("ws_1", filter, { ...page, after });
    },
    "reports.wasRemoved": ({ reports }) => reports.wasRemoved("rpt_1"),
    "reports.removeFiles": ({ reports }) => reports.removeFiles("rpt_2"),
    "reports.remove": async (account) => {
      const { _id } = await newReport(account);
      await account.reports.remove(_id, testAudit);
    },
    "reportLinks.find": ({ reportLinks }) => reportLinks.find("rpl_1"),
    "reportLinks.listOfReport": async ({ reportLinks }) => {
      for (const after of [undefined, "rpl_1"]) await reportLinks.listOfReport("rpt_1", { ...page, after });
    },
    "reportLinks.listOfWorkspace": async ({ reportLinks }) => {
      for (const after of [undefined, "rpl_1"]) await reportLinks.listOfWorkspace("ws_1", { ...page, after });
    },
    "reportLinks.add": newLink,
    "reportLinks.revoke": async (account) => {
      await account.reportLinks.revoke((await newLink(account))._id, testAudit);
    },
    "reportLinks.count": ({ reportLinks }) => reportLinks.count("rpl_1", "opens", now),
    "labels.find": ({ labels }) => labels.find("cl_1"),
    "labels.findAll": ({ labels }) => labels.findAll(["cl_1", "ws_1"]),
    "labels.list": async ({ labels }) => {
      for (const after of [undefined, "cl_1"]) await labels.list("ws_1", { ...page, after });
    },
    "labels.put": async (account) => {
      const { _id: id } = await newClient(account);
      for (const logo of [{ png: Buffer.from("logo"), width: 1, height: 1 }, "keep", undefined] as const)
        await account.labels.put(id, { name: "Acme", logo }, testAudit);
    },
    "labels.remove": async (account) => {
      const { _id } = await account.workspaces.first(testAudit);
      await account.labels.put(_id, { name: "Acme", logo: undefined }, testAudit);
      await account.labels.remove(_id, testAudit);
    },
    "aggregateReports.take": async (account) => {
      const { _id, name } = await newWatchedDomain(account);
      for (const report of [...believedReports(name, now), ...believedReports(name, now)])
        await account.aggregateReports.take(_id, report, { at: now, via: "mail" });
    },
    "aggregateReports.refuse": async (account) => {
      const { _id } = await newWatchedDomain(account);
      for (const _ of [1, 2]) await account.aggregateReports.refuse(_id, refusalAt(now));
    },
    "aggregateReports.inbox": ({ aggregateReports }) => aggregateReports.inbox("dom_1"),
    "aggregateReports.latest": ({ aggregateReports }) => aggregateReports.latest("dom_1", 10),
    "aggregateReports.eachDmarc": ({ aggregateReports }) =>
      aggregateReports.eachDmarc("dom_1", days, () => undefined),
    "aggregateReports.eachTls": ({ aggregateReports }) =>
      aggregateReports.eachTls("dom_1", days, () => undefined),
    "aggregateReports.forget": async (account) => {
      const { _id, name } = await newWatchedDomain(account);
      for (const report of believedReports(name, now))
        await account.aggregateReports.take(_id, report, { at: now, via: "mail" });
      await account.aggregateReports.forget(_id);
    },
    "schedules.find": ({ schedules }) => schedules.find("rsc_1"),
    "schedules.list": async ({ schedules }) => {
      for (const after of [undefined, "rsc_1"]) await schedules.list("ws_1", { ...page, after });
    },
    "schedules.add": (account) => addSchedule(account, later),
    "schedules.update": async (account) => {
      const { _id, scope } = await addSchedule(account, later);
      const paused = { ...scheduleSettings, scope, paused: true };
      await account.schedules.update(_id, paused, () => undefined, testAudit);
    },
    "schedules.ask": async (account) => {
      const { _id } = await addSchedule(account, later);
      await account.schedules.ask(_id, askedWork(now), testAudit);
    },
    "schedules.remove": async (account) => {
      const { _id } = await addSchedule(account, later);
      await account.schedules.remove(_id, testAudit);
    },
    "reports.read": ({ reports }) => reports.read("rpt_1", "json"),
  };

  const across: Calls<AcrossAccounts> = {
    "watches.listDue": ({ watches }) => watches.listDue(now, 10),
    "watches.find": ({ watches }) => watches.find("dom_1"),
    "watches.findChecks": ({ watches }) => watches.findChecks({ _id: "dom_1", accountId }),
    "watches.listUnalerted": ({ watches }) => watches.listUnalerted(10),
    "schedules.listDue": ({ schedules }) => schedules.listDue(now, 10),
    "schedules.putOff": ({ schedules }) => schedules.putOff("rsc_1", later),
    "blacklists.hold": async ({ blacklists }) => {
      for (const _ of [1, 2]) await blacklists.hold("spamcop", now, later);
    },
    "blacklists.release": ({ blacklists }) => blacklists.release({ _id: "spamcop", heldUntil: now }),
    "blacklists.count": ({ blacklists }) => blacklists.count("spamcop"),
    "blacklists.listDue": ({ blacklists }) => blacklists.listDue("spamcop", now, 10),
    "blacklists.keep": ({ blacklists }) => blacklists.keep([blacklistState]),
    "blacklists.listUntold": ({ blacklists }) => blacklists.listUntold(10),
    "blacklists.keepWatched": ({ blacklists }) => blacklists.keepWatched([SUBJECT, "spamcop 192.0.2.99"]),
    "blacklists.sweep": async ({ blacklists }) => {
      for (const after of ["", "spamcop"]) await blacklists.sweep(after, 10);
    },
  };

  const store: Calls<Store> = {
    "mailHosts.find": ({ mailHosts }) => mailHosts.find(["mx.example.net"], now),
    "mailHosts.recent": ({ mailHosts }) => mailHosts.recent(now),
    "mailHosts.keep": ({ mailHosts }) =>
      mailHosts.keep({ name: "mx.example.net", at: now, addresses: [] }, later),
    "registrations.find": ({ registrations }) => registrations.find("example.net", now),
    "registrations.keep": ({ registrations }) =>
      registrations.keep(
        "example.net",
        { kind: "unregistered", server: "rdap.example" } as never,
        now,
        later,
      ),
    "blacklistStates.find": ({ blacklistStates }) => blacklistStates.find([SUBJECT]),
    "blacklistStates.findTrusts": ({ blacklistStates }) => blacklistStates.findTrusts(["spamcop"]),
    "acrossAccounts.watches.claim": async (store) => {
      const domain = await newWatchedDomain(store.forAccount(accountId));
      await store.acrossAccounts.watches.claim(domain, later);
    },
    "acrossAccounts.watches.keep": lookedAtDomain,
    "acrossAccounts.watches.beginCheck": async (store) =>
      store.acrossAccounts.watches.beginCheck(await newWatchedDomain(store.forAccount(accountId)), now),
    "acrossAccounts.watches.advanceCheck": async (store) => {
      const domain = await newWatchedDomain(store.forAccount(accountId));
      await store.acrossAccounts.watches.beginCheck(domain, now);
      await store.acrossAccounts.watches.advanceCheck(domain, now, ["spf"]);
    },
    "acrossAccounts.watches.endCheck": async (store) =>
      store.acrossAccounts.watches.endCheck(await newWatchedDomain(store.forAccount(accountId)), now),
    "acrossAccounts.watches.markAlerted": async (store) => {
      const { looked } = await lookedAtDomain(store);
      for (const change of looked.changes) await store.acrossAccounts.watches.markAlerted(change);
    },
    "acrossAccounts.schedules.hold": heldSchedule,
    "acrossAccounts.schedules.settle": async (store) => {
      const settled = { reportId: "rpt_1", form: "html", recipients: ["it@example.com"] };
      await store.acrossAccounts.schedules.settle(await heldSchedule(store), settled);
    },
    "acrossAccounts.schedules.end": async (store) => {
      for (const isOver of [false, true]) {
        const held = await heldSchedule(store);
        const { trigger, period } = held.work;
        const run = { at: now, trigger, period, status: "sent", messageIds: [] } as const;
        await store.acrossAccounts.schedules.end(held, isOver ? { run } : { retryAt: later, reason: "busy" });
      }
    },
    "acrossAccounts.blacklists.report": async (store) => {
      const { domain } = await lookedAtDomain(store);
      await store.acrossAccounts.blacklists.report(
        blacklistState,
        new Date(domain.createdAt.getTime() - 1_000),
      );
      await store.acrossAccounts.blacklists.report(blacklistState, now);
    },
  };

  return { account, across, store };
}
