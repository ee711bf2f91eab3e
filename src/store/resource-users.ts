import type { ClientSession, Db } from "mongodb";
import { namedSchedules, sendsMail, usedTargets } from "../alerts/rule.ts";
import { addressKey } from "../message/address/address-key.ts";
import { domainOf } from "../message/address/addresses.ts";
import { parseFromMailbox } from "../message/address/from-field.ts";
import { MAX_LISTED_USERS, type ResourceUse, type ResourceUser } from "../shared/fault.ts";
import type { AccountDocument, KeyDocument, SenderDocument } from "./documents.ts";
import { incidentCollections } from "./incident-collections.ts";
import { intelCollections } from "./intel-collections.ts";
import type { StoredWebhook } from "./sealing/sealed-webhook.ts";

/** Resources that stop working when another one is removed. Each function reads within the transaction of the removal. */
export type ResourceUsers = ReturnType<typeof createResourceUsers>;

/** Throws if the users prevent the removal. Missing: nothing prevents it. */
export type CheckUse = (use: ResourceUse) => void;

/** Removal of a sender or a domain. */
export interface SenderRemoval {
  readonly check?: CheckUse;
  /** Whether the DNS proof of its domain permits mail. For a removed domain: until the removal. */
  readonly isProven?: boolean;
}

/** An account has at most `MAX_RULES` rules, and a workspace at most `MAX_SCHEDULES` schedules: all of them are read. */
export function createResourceUsers(db: Db) {
  const { rules } = incidentCollections(db);
  const { schedules, domains: watched } = intelCollections(db);
  const webhooks = db.collection<StoredWebhook>("webhookEndpoints");
  const keys = db.collection<KeyDocument>("apiKeys");
  const senders = db.collection<SenderDocument>("senders");
  const accounts = db.collection<AccountDocument>("accounts");

  /** Rules that notify. A disabled rule is checked again when a member enables it. */
  async function notifyingRules(session: ClientSession | undefined, accountId: string) {
    const projection = { name: 1, settings: 1 } as const;
    const all = await rules.find({ accountId }, { ...(session && { session }), projection }).toArray();
    return all.flatMap(({ _id: id, name, settings: { enabled, notify } }) =>
      enabled && notify ? [{ user: { kind: "alert_rule", id, name } as const, notify }] : [],
    );
  }

  async function mailingRules(session: ClientSession | undefined, accountId: string) {
    const notifying = await notifyingRules(session, accountId);
    return notifying.filter(({ notify }) => sendsMail(notify));
  }

  const ofSchedule = ({ _id: id, name }: { readonly _id: string; readonly name: string }): ResourceUser => ({
    kind: "schedule",
    id,
    name,
  });

  /** The addresses and domains among `values` that the account may use as senders. */
  async function permitted(session: ClientSession, accountId: string, values: readonly string[]) {
    const found = senders.find({ accountId, value: { $in: [...new Set(values)] } }, { session });
    return new Set((await found.toArray()).filter(({ verifiedAt }) => verifiedAt).map(({ value }) => value));
  }

  return {
    /**
     * Makes transactions of an account that remove a resource or begin to use one exclude each other: the second one
     * retries, and reads the changes of the first.
     */
    async exclude(session: ClientSession, accountId: string): Promise<void> {
      await accounts.updateOne({ _id: accountId }, { $inc: { references: 1 } }, { session });
    },

    async ofPolicy(session: ClientSession, accountId: string, name: string): Promise<ResourceUse> {
      const projection = { name: 1 } as const;
      const mailing = await mailingRules(session, accountId);
      const reports = schedules.find({ accountId, policy: name }, { session, projection });
      const endpoints = webhooks.find({ accountId, policies: name }, { session, projection: { url: 1 } });
      return listed([
        ...mailing.filter(({ notify }) => notify.policy === name).map(({ user }) => user),
        ...(await reports.toArray()).map(ofSchedule),
        ...(await endpoints.toArray()).map(
          ({ _id: id, url }) => ({ kind: "webhook", id, name: url }) as const,
        ),
      ]);
    },

    async ofTemplate(session: ClientSession, accountId: string, name: string): Promise<ResourceUse> {
      const mailing = await mailingRules(session, accountId);
      return listed(mailing.filter(({ notify }) => notify.template === name).map(({ user }) => user));
    },

    /** Rules that name an on-call schedule, also disabled ones: a rule must not be left without a recipient. */
    async ofOnCallSchedule(session: ClientSession, accountId: string, name: string): Promise<ResourceUse> {
      const projection = { name: 1, settings: 1 } as const;
      const all = await rules.find({ accountId }, { session, projection }).toArray();
      const using = all.filter(({ settings: { notify } }) => notify && namedSchedules(notify).includes(name));
      return listed(
        using.map(({ _id: id, name: rule }) => ({ kind: "alert_rule", id, name: rule }) as const),
      );
    },

    /** Rules that notify an alert target. */
    async ofTarget(session: ClientSession, accountId: string, id: string): Promise<ResourceUse> {
      const notifying = await notifyingRules(session, accountId);
      return listed(
        notifying.filter(({ notify }) => usedTargets(notify).includes(id)).map(({ user }) => user),
      );
    },

    /** As `ofTemplate`, for all templates of an account and outside of a transaction, by name. */
    async ofTemplates(accountId: string): Promise<ReadonlyMap<string, ResourceUse>> {
      const mailing = await mailingRules(undefined, accountId);
      const usersOf = new Map<string, ResourceUser[]>();
      for (const { user, notify } of mailing) {
        if (notify.template === undefined) continue;
        const known = usersOf.get(notify.template);
        if (known) known.push(user);
        else usersOf.set(notify.template, [user]);
      }
      return new Map([...usersOf].map(([name, all]) => [name, listed(all)]));
    },

    /** Rules, schedules and keys with a sender address that only the removed sender permits. */
    async ofSender(
      session: ClientSession,
      accountId: string,
      value: string,
      now: Date,
    ): Promise<ResourceUse> {
      const isDomain = !value.includes("@");
      const isOf = (one: string) => one === value || (isDomain && domainOf(one) === value);
      const using: { readonly user: ResourceUser; readonly values: readonly string[] }[] = [];
      for (const { user, notify } of await mailingRules(session, accountId))
        using.push({ user, values: senderOf(notify.from ?? "") });
      const reports = schedules.find({ accountId }, { session, projection: { name: 1, from: 1 } });
      for (const one of await reports.toArray())
        using.push({ user: ofSchedule(one), values: senderOf(one.from) });
      const named = isDomain ? { $gt: "" } : value;
      const projection = { name: 1, senders: 1, revokedAt: 1, expiresAt: 1 } as const;
      const limited = keys.find({ accountId, senders: named }, { session, projection });
      for (const { _id: id, name, senders: values, ...key } of await limited.toArray())
        if (!key.revokedAt && !(key.expiresAt && key.expiresAt <= now))
          using.push({ user: { kind: "key", id, name }, values });
      const concerned = using.map(({ user, values }) => ({ user, values: values.filter(isOf) }));
      const left = await permitted(
        session,
        accountId,
        concerned.flatMap(({ values }) => values.flatMap(spellings)),
      );
      const isLost = (one: string) => !spellings(one).some((spelling) => left.has(spelling));
      return listed(concerned.filter(({ values }) => values.some(isLost)).map(({ user }) => user));
    },

    /** Schedules of reports about a watched domain. */
    async ofWatch(session: ClientSession, accountId: string, id: string): Promise<ResourceUse> {
      const about = { accountId, "scope.id": id };
      const reports = schedules.find(about, { session, projection: { name: 1 } });
      return listed((await reports.toArray()).map(ofSchedule));
    },

    /** Schedules of reports about a client, or about one of its domains. */
    async ofClient(session: ClientSession, accountId: string, id: string): Promise<ResourceUse> {
      const projection = { name: 1, scope: 1 } as const;
      const own = await schedules.find({ accountId, "scope.id": id }, { session, projection }).toArray();
      const aboutDomains = { accountId, "scope.type": "domain" as const };
      const others = await schedules.find(aboutDomains, { session, projection }).toArray();
      const ids = others.map(({ scope }) => scope.id);
      const found = watched.find({ _id: { $in: ids }, accountId, clientId: id }, { session });
      const domainIds = new Set((await found.toArray()).map(({ _id }) => _id));
      return listed([...own, ...others.filter(({ scope }) => domainIds.has(scope.id))].map(ofSchedule));
    },
  };
}

export const NO_USE: ResourceUse = { users: [], count: 0 };

function listed(users: readonly ResourceUser[]): ResourceUse {
  const shown = users.slice(0, MAX_LISTED_USERS);
  return { users: shown.map((user) => ({ ...user, name: shortened(user.name) })), count: users.length };
}

const MAX_NAME = 100;

function shortened(name: string): string {
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 1).toWellFormed()}…`;
}

/** The address of a From field; empty: unreadable. */
function senderOf(from: string): string[] {
  const read = parseFromMailbox(from);
  return read.ok ? [addressKey(read.mailbox.address)] : [];
}

/** Senders that permit mail as an address, or as its domain. */
const spellings = (value: string) => (value.includes("@") ? [value, domainOf(value)] : [value]);
