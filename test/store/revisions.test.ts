import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Fault } from "../../src/shared/fault.ts";
import { newId } from "../../src/shared/ids.ts";
import { ruleRevision } from "../../src/store/alert-rule-store.ts";
import { onCallRevision } from "../../src/store/oncall-documents.ts";
import type { RetentionTimes } from "../../src/store/retention-document.ts";
import {
  accountRevision,
  clientRevision,
  heartbeatRevision,
  inhibitionRevision,
  keyRevision,
  memberRevision,
  passkeyRevision,
  retentionRevision,
  scheduleRevision,
  silenceRevision,
  watchRevision,
  workspaceRevision,
} from "../../src/store/revisions.ts";
import { type AccountStore, createStore, type Store } from "../../src/store/store.ts";
import { inhibitionToPut, ruleSettings, silenceToAdd } from "../harness/alert-documents.ts";
import { testAudit } from "../harness/audit.ts";
import { heartbeatDocument } from "../harness/heartbeat-documents.ts";
import { anyParticipants, onCallSettings } from "../harness/on-call.ts";
import { addSchedule, scheduleSettings } from "../harness/schedules.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

/** Used by two workers, each with its own store on one database. */
let opened: TestStore;
let workers: readonly [Of, Of];
type Of = (accountId: string) => Worker;
/** The account functions of one worker. */
type Worker = AccountStore & Pick<Store, "accounts" | "passkeys">;

beforeAll(async () => {
  opened = await openTestStore();
  const open = (): Of => {
    const { forAccount, accounts, passkeys } = createStore(opened.db, testSealing);
    return (accountId) => ({ ...forAccount(accountId), accounts, passkeys });
  };
  workers = [open(), open()];
});
afterAll(() => opened.close());

interface State {
  readonly revision: string;
  /** A number that editors change. */
  readonly value: number;
}

/** A resource under test. Its value is a number that begins at 0. */
interface Editable {
  /** @returns its id */
  readonly create: (account: Worker) => Promise<string>;
  readonly read: (account: Worker, id: string) => Promise<State>;
  readonly write: (account: Worker, id: string, value: number, ifRevision?: string) => Promise<unknown>;
  /** Missing: it is not removed separately. */
  readonly remove?: (account: Worker, id: string, ifRevision?: string) => Promise<unknown>;
}

function there<T>(found: T | null | undefined): T {
  if (found === null || found === undefined) throw new Error("the resource is gone");
  return found;
}

const resources: Readonly<Record<string, Editable>> = {
  "an alert rule": {
    create: async ({ alertRules }) =>
      (await alertRules.put({ ...ruleSettings, order: 0 }, testAudit)).rule.name,
    read: async ({ alertRules }, name) => {
      const rule = there(await alertRules.find(name));
      return { revision: ruleRevision(rule), value: rule.settings.order };
    },
    write: ({ alertRules }, name, order, ifRevision) =>
      alertRules.put({ ...ruleSettings, name, order }, testAudit, ifRevision),
    remove: ({ alertRules }, name, ifRevision) => alertRules.remove(name, testAudit, ifRevision),
  },
  "an inhibition": {
    create: async ({ alertRules }) => (await alertRules.putInhibition(inhibitionToPut, testAudit)).name,
    read: async ({ alertRules }, name) => {
      const found = there((await alertRules.listInhibitions()).find((one) => one.name === name));
      return { revision: inhibitionRevision(found), value: found.equal.length };
    },
    write: ({ alertRules }, name, value, ifRevision) => {
      const equal = Array.from({ length: value }, (_, index) => `context.n${index}`);
      return alertRules.putInhibition({ ...inhibitionToPut, name, equal }, testAudit, ifRevision);
    },
    remove: ({ alertRules }, name, ifRevision) => alertRules.removeInhibition(name, testAudit, ifRevision),
  },
  "a silence": {
    create: async ({ alertRules }) => {
      const added = { ...silenceToAdd, _id: newId("sil", new Date()), comment: "0" };
      return (await alertRules.addSilence(added, testAudit))._id;
    },
    read: async ({ alertRules }, id) => {
      const found = there(await alertRules.findSilence(id));
      return { revision: silenceRevision(found), value: Number(found.comment) };
    },
    write: ({ alertRules }, id, value, ifRevision) =>
      alertRules.changeSilence(
        id,
        (before) => ({ ...before, comment: String(value) }),
        testAudit,
        ifRevision,
      ),
  },
  "an on-call schedule": {
    create: async ({ oncalls }) =>
      (await oncalls.put({ ...onCallSettings, fallback: [] }, testAudit, anyParticipants)).schedule.name,
    read: async ({ oncalls }, name) => {
      const found = there(await oncalls.find(name));
      return { revision: onCallRevision(found), value: found.settings.fallback.length };
    },
    write: ({ oncalls }, name, value, ifRevision) => {
      const fallback = Array.from({ length: value }, (_, index) => `ops-${index}@example.net`);
      const settings = { ...onCallSettings, name, fallback };
      const based = ifRevision === undefined ? {} : { ifRevision };
      return oncalls.put(settings, testAudit, anyParticipants, based);
    },
    remove: ({ oncalls }, name, ifRevision) => oncalls.remove(name, testAudit, () => undefined, ifRevision),
  },
  "a heartbeat": {
    create: async ({ heartbeats }) => {
      const _id = newId("hbt", new Date());
      await heartbeats.add(heartbeatDocument({ _id, tokenHash: _id, graceMs: 0 }), testAudit);
      return _id;
    },
    read: async ({ heartbeats }, id) => {
      const found = there(await heartbeats.find(id));
      return { revision: heartbeatRevision(found), value: found.graceMs };
    },
    write: ({ heartbeats }, id, graceMs, ifRevision) =>
      heartbeats.change(id, testAudit, (before) => ({ ...before, graceMs }), ifRevision),
    remove: async ({ heartbeats }, id, ifRevision) =>
      heartbeats.remove(there(await heartbeats.find(id)), testAudit, ifRevision),
  },
};

const CLIENT = { name: "Acme", contactEmails: [], tags: [], locale: "en", timezone: "UTC" };
const WATCH = { role: "sending", dkimSelectors: [], paused: false, subjects: [] } as const;
/** As many addresses as the value. */
const addresses = (value: number) => Array.from({ length: value }, (_, index) => `45.10.10.${index + 1}`);
/** A time derived from the value. */
const until = (value: number) => new Date(Date.UTC(2100, 0, 1 + value));

async function addClient({ workspaces }: AccountStore) {
  const { _id } = await workspaces.first(testAudit);
  const made = await workspaces.createClient(_id, CLIENT, testAudit);
  if (!("client" in made)) throw new Error("no client was made");
  return made.client;
}

async function addWatch(account: AccountStore): Promise<string> {
  const { _id: clientId, workspaceId } = await addClient(account);
  const named = { name: "example.com", nameUnicode: "example.com" };
  const added = await account.watches.add(
    { ...WATCH, ...named, sendingIps: [], clientId, workspaceId },
    testAudit,
  );
  if (!("domain" in added)) throw new Error("no domain was added");
  return added.domain._id;
}

const removeWatch: Editable["remove"] = ({ watches }, id, ifRevision) =>
  watches.remove(id, testAudit, undefined, ifRevision);

const ofIntel: Readonly<Record<string, Editable>> = {
  "a workspace": {
    create: async ({ workspaces }) => (await workspaces.create("0", testAudit))._id,
    read: async ({ workspaces }, id) => {
      const found = there(await workspaces.find(id));
      return { revision: workspaceRevision(found), value: Number(found.name) };
    },
    write: ({ workspaces }, id, value, ifRevision) =>
      workspaces.rename(id, String(value), testAudit, ifRevision),
  },
  "a client": {
    create: async (account) => (await addClient(account))._id,
    read: async ({ workspaces }, id) => {
      const found = there(await workspaces.findClient(id));
      return { revision: clientRevision(found), value: Number(found.notes ?? 0) };
    },
    write: ({ workspaces }, id, value, ifRevision) => {
      const notes = value === 0 ? {} : { notes: String(value) };
      return workspaces.updateClient(id, { ...CLIENT, ...notes }, "active", testAudit, { ifRevision });
    },
  },
  "a watched domain": {
    create: addWatch,
    read: async ({ watches }, id) => {
      const found = there(await watches.find(id));
      return { revision: watchRevision(found), value: found.sendingIps.length };
    },
    write: ({ watches }, id, value, ifRevision) => {
      const settings = { ...WATCH, sendingIps: addresses(value) };
      return watches.update(id, settings, undefined, testAudit, ifRevision);
    },
    remove: removeWatch,
  },
  "the mute of a check": {
    create: addWatch,
    read: async ({ watches }, id) => {
      const found = there(await watches.find(id));
      const at = found.mutes[0]?.until ?? until(0);
      return { revision: watchRevision(found), value: at.getUTCDate() - 1 };
    },
    write: ({ watches }, id, value, ifRevision) =>
      watches.mute(
        id,
        { checkId: "auth.spf.record", until: value === 0 ? undefined : until(value) },
        testAudit,
        ifRevision,
      ),
    remove: removeWatch,
  },
  "a schedule of reports": {
    create: async (account) => (await addSchedule(account, new Date()))._id,
    read: async ({ schedules }, id) => {
      const found = there(await schedules.find(id));
      return { revision: scheduleRevision(found), value: found.hour - 8 };
    },
    write: ({ schedules }, id, value, ifRevision) => {
      const scope = { type: "workspace", id: "ws_1" } as const;
      const settings = { ...scheduleSettings, scope, hour: 8 + value };
      return schedules.update(id, settings, () => undefined, testAudit, {}, ifRevision);
    },
    remove: ({ schedules }, id, ifRevision) => schedules.remove(id, testAudit, ifRevision),
  },
};

const ROLES = ["viewer", "support", "developer", "admin", "owner"] as const;
const KEY = { kind: "account", hash: "h", scopeMode: "full", scopes: [], senders: [] } as const;
const holderOf = (userId: string) => ({ userId, email: "ada@example.com", accountId: "" });

const ofPeople: Readonly<Record<string, Editable>> = {
  "an account": {
    create: async ({ id: _id, accounts }) => {
      await accounts.insert({ _id, name: "0", createdAt: new Date() }, testAudit);
      return _id;
    },
    read: async ({ accounts }, id) => {
      const found = there(await accounts.find(id));
      return { revision: accountRevision(found), value: Number(found.name) };
    },
    write: ({ accounts }, id, value, ifRevision) => accounts.rename(id, String(value), testAudit, ifRevision),
  },
  "the retention of an account": {
    create: async ({ id }) => id,
    read: async ({ retentions }) => {
      const found: RetentionTimes = (await retentions.find()) ?? {};
      return { revision: retentionRevision(found), value: found.contentDays ?? 0 };
    },
    write: ({ retentions }, _id, value, ifRevision) =>
      retentions.change(value === 0 ? {} : { contentDays: value }, new Date(), testAudit, ifRevision),
  },
  "a member": {
    create: async ({ id: accountId, accounts, members }) => {
      const createdAt = new Date();
      await accounts.insert({ _id: accountId, name: "Acme", createdAt }, testAudit);
      const newUser = (name: string) => ({
        _id: newId("usr", createdAt),
        email: `${name}@${accountId}.example`,
        passwordHash: "",
        createdAt,
      });
      await members.add(newUser("owner"), { role: "owner", createdAt }, testAudit);
      return (await members.add(newUser("ada"), { role: "viewer", createdAt }, testAudit)).user._id;
    },
    read: async ({ members }, id) => {
      const found = there(await members.find(id));
      return { revision: memberRevision(found), value: ROLES.indexOf(found.role) };
    },
    write: ({ members }, id, value, ifRevision) =>
      members.changeRole(id, ROLES[value] ?? "viewer", testAudit, ifRevision),
    remove: ({ members }, id, ifRevision) => members.remove(id, testAudit, ifRevision),
  },
  "a key": {
    create: async ({ id: accountId, keys }) => {
      const [_id, createdAt] = [newId("key", new Date()), new Date()];
      const own = { _id, name: "0", hash: `${accountId}h`, prefix: _id, createdAt };
      await keys.insert({ ...KEY, ...own, allowedAddresses: [] }, testAudit);
      return _id;
    },
    read: async ({ keys }, id) => {
      const found = there(await keys.find(id));
      return { revision: keyRevision(found), value: Number(found.name) };
    },
    write: ({ keys }, id, value, ifRevision) => keys.rename(id, String(value), testAudit, ifRevision),
  },
  "a passkey": {
    create: async ({ id: userId, passkeys }) => {
      const id = newId("key", new Date());
      const made = { id, publicKey: new Uint8Array(8), counter: 0, backedUp: false, transports: [] };
      await passkeys.insert(
        { ...made, userId, name: "0", createdAt: new Date() },
        holderOf(userId),
        testAudit,
      );
      return id;
    },
    read: async ({ passkeys }, id) => {
      const found = there(await passkeys.find(id));
      return { revision: passkeyRevision(found), value: Number(found.name) };
    },
    write: ({ id: userId, passkeys }, id, value, ifRevision) =>
      passkeys.rename(holderOf(userId), id, String(value), testAudit, ifRevision),
    remove: ({ id: userId, passkeys }, id, ifRevision) =>
      passkeys.remove(holderOf(userId), id, testAudit, ifRevision),
  },
};

const each = Object.entries({ ...resources, ...ofIntel, ...ofPeople }).map(([name, resource]) => ({
  name,
  resource,
}));

async function open({ create }: Editable) {
  const accountId = newId("acc", new Date());
  const id = await create(workers[0](accountId));
  return { id, of: [workers[0](accountId), workers[1](accountId)] as const };
}

/** @returns the current revision if the change is based on another one; undefined: it succeeded */
async function staleness(change: Promise<unknown>): Promise<string | undefined> {
  try {
    await change;
    return undefined;
  } catch (error) {
    if (error instanceof Fault && error.code === "resource.stale") return error.revision;
    throw error;
  }
}

describe.each(each)("$name that two workers edit", ({ resource }) => {
  it("accepts one of two concurrent changes that are based on the same revision", async () => {
    const { id, of } = await open(resource);
    const { revision } = await resource.read(of[0], id);
    const ended = await Promise.all(
      of.map((account, index) => staleness(resource.write(account, id, index + 1, revision))),
    );
    const after = await resource.read(of[0], id);
    expect(ended.filter((stale) => stale === undefined)).toHaveLength(1);
    expect(ended.find((stale) => stale !== undefined)).toBe(after.revision);
    expect(after.value).toBe(ended.indexOf(undefined) + 1);
  });

  it("loses no change of editors who all send their known revision", async () => {
    const { id, of } = await open(resource);
    const increment = async (account: Worker): Promise<void> => {
      const { revision, value } = await resource.read(account, id);
      if ((await staleness(resource.write(account, id, value + 1, revision))) !== undefined)
        await increment(account);
    };
    const editor = async (account: Worker) => {
      await increment(account);
      await increment(account);
    };
    await Promise.all(of.map(editor));
    expect((await resource.read(of[0], id)).value).toBe(4);
  });

  it("is changed if and only if the editor has seen the last change, for any order of steps", async () => {
    const step = fc.record({
      editor: fc.constantFrom<0 | 1>(0, 1),
      act: fc.constantFrom("read", "write", "write in any case"),
      value: fc.integer({ min: 0, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { id, of } = await open(resource);
        const first = await resource.read(of[0], id);
        const seen = [first, first];
        let present = first.value;
        for (const { editor, act, value } of steps) {
          const account = of[editor];
          if (act === "read") seen[editor] = await resource.read(account, id);
          else {
            const before = await resource.read(of[1 - editor] as Worker, id);
            const ifRevision = act === "write" ? (seen[editor] as State).revision : undefined;
            const stale = await staleness(resource.write(account, id, value, ifRevision));
            const isFresh = ifRevision === undefined || ifRevision === before.revision;
            expect(stale).toBe(isFresh ? undefined : before.revision);
            if (isFresh) present = value;
          }
          expect((await resource.read(account, id)).value).toBe(present);
        }
      }),
      { numRuns: 15 },
    );
  });

  it("is removed only with its current revision", async () => {
    const { remove, read, write } = resource;
    if (!remove) return;
    const { id, of } = await open(resource);
    const { revision } = await read(of[0], id);
    await write(of[1], id, 3);
    const { revision: present } = await read(of[0], id);
    expect(await staleness(remove(of[0], id, revision))).toBe(present);
    expect((await read(of[0], id)).value).toBe(3);
    expect(await staleness(remove(of[0], id, present))).toBeUndefined();
    await expect(read(of[0], id)).rejects.toThrow("the resource is gone");
  });
});

describe("a resource that is stored by name", () => {
  it("is created once by two editors who both expect none", async () => {
    const accountId = newId("acc", new Date());
    const ended = await Promise.all(
      workers.map((of, order) =>
        staleness(of(accountId).alertRules.put({ ...ruleSettings, order }, testAudit, "none")),
      ),
    );
    const rule = there(await workers[0](accountId).alertRules.find(ruleSettings.name));
    expect(ended.toSorted()).toEqual([ruleRevision(rule), undefined]);
  });

  it("is not created by an editor who expects a removed one", async () => {
    const { alertRules } = workers[0](newId("acc", new Date()));
    const { rule } = await alertRules.put(ruleSettings, testAudit);
    await alertRules.remove(rule.name, testAudit);
    expect(await staleness(alertRules.put(ruleSettings, testAudit, ruleRevision(rule)))).toBe("none");
    // Another rule with the same name has another revision, even if its version is 1 again.
    await alertRules.put({ ...ruleSettings, order: 1 }, testAudit);
    const stale = await staleness(alertRules.put(ruleSettings, testAudit, ruleRevision(rule)));
    expect(stale).toMatch(/^rul_\w+\.1$/);
    expect(stale).not.toBe(ruleRevision(rule));
  });
});

describe("automatic changes", () => {
  it("leave the revision of a watched domain and of a schedule unchanged", async () => {
    const account = workers[0](newId("acc", new Date()));
    const id = await addWatch(account);
    await account.watches.mute(id, { checkId: "auth.spf.record", until: new Date() }, testAudit);
    const seen = there(await account.watches.find(id));
    const counted = { checkedAt: new Date(), score: 50, failures: 3, revision: seen.revision + 1, mutes: [] };
    expect(watchRevision({ ...seen, ...counted })).toBe(watchRevision(seen));
    const schedule = await addSchedule(account, new Date());
    const run = { nextRunAt: new Date(), lastKey: "week", revision: schedule.revision + 1 };
    expect(scheduleRevision({ ...schedule, ...run })).toBe(scheduleRevision(schedule));
  });
});
