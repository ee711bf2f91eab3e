import type { ClientSession, Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import { randomWord } from "../shared/secrets.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import type { DomainKeyDocument } from "./documents.ts";
import type { DomainDocument, DomainEventDocument, RecordEvidence } from "./domain-document.ts";
import type { NoteResource } from "./journal/note-resource.ts";
import { type ListPage, readPage } from "./list-page.ts";
import { readEach } from "./read-each.ts";
import { NO_USE, type ResourceUsers, type SenderRemoval } from "./resource-users.ts";
import { guarded } from "./store-fault.ts";
import type { OutboxEvent } from "./webhook-delivery-documents.ts";
import type { WebhookOutbox } from "./webhook-outbox.ts";

/** New state of a domain, with the event that reports it. */
export interface DomainChange {
  readonly domain: DomainDocument;
  readonly event: DomainEventDocument | undefined;
}

/** Number of random bytes in a token, which prevents accidental publication. It is not secret. */
const TOKEN_BYTES = 16;
const LISTED_EVENTS_MAX = 100;

/** A domain in a list. */
export interface ListedDomain extends Omit<DomainDocument, "records"> {
  readonly records: readonly Omit<RecordEvidence, "found">[];
}

/** A domain before it is stored. Its id is derived from its contents. */
export type NewDomain = Omit<DomainDocument, "_id" | "accountId">;

export function domainId(accountId: string, name: string): string {
  return `${accountId}.${name}`;
}

/** A new domain without results. It is checked as soon as possible. */
export function newDomain(name: string, now: Date, nextCheckAt = now): NewDomain {
  return {
    name,
    token: randomWord(TOKEN_BYTES),
    createdAt: now,
    status: "unverified",
    statusSince: now,
    records: [],
    nameServers: [],
    failures: 0,
    nextCheckAt,
  };
}

export function createDomainStore(
  db: Db,
  writes: AuditedWrites,
  {
    outbox,
    users,
    noteResource,
  }: {
    readonly outbox: Pick<WebhookOutbox, "publish">;
    readonly users: ResourceUsers;
    readonly noteResource: NoteResource;
  },
) {
  const domains = db.collection<DomainDocument>("domains");
  const audited = writes.of("domain", domains);
  const keys = db.collection<Pick<DomainKeyDocument, "_id" | "accountId" | "domain">>("domainKeys");
  const events = db.collection<DomainEventDocument>("domainEvents");

  return {
    forAccount: (accountId: string) => {
      const nameOf = (name: string) => ({ _id: domainId(accountId, name), accountId });
      const noteChange = (session: ClientSession, name: string) =>
        noteResource(session, { accountId, kind: "domain", id: name });

      return {
        /** Adds a domain. An existing domain has precedence. */
        add: (domain: NewDomain, audit: Audit): Promise<DomainDocument> =>
          writes.transact(async (session) => {
            const known = await domains.findOne(nameOf(domain.name), { session });
            if (known) return known;
            await noteChange(session, domain.name);
            return audited.insert(session, audit, { ...domain, ...nameOf(domain.name) });
          }),

        find: (name: string) => guarded(domains.findOne(nameOf(name))),

        /** The existing domains among these names. */
        async findNames(names: readonly string[]): Promise<Set<string>> {
          const ids = names.map((name) => domainId(accountId, name));
          const found = domains.find({ _id: { $in: ids }, accountId }, { projection: { name: 1 } });
          return new Set((await guarded(found.toArray())).map(({ name }) => name));
        },

        /** Number of domains, at most `most`. */
        count: (most: number) => guarded(domains.countDocuments({ accountId }, { limit: most })),

        /** By name, without the answers of name servers, which are most of a document. */
        list: async (page: ListPage): Promise<ListedDomain[]> =>
          readPage(domains, { accountId }, page, "name", { projection: { "records.found": false } }),

        /** Records a request for a check; false: another request was recorded since `former` was read. */
        async ask({ name, askedAt }: Pick<DomainDocument, "name" | "askedAt">, at: Date): Promise<boolean> {
          const unchanged = { ...nameOf(name), askedAt: askedAt ?? { $exists: false } };
          const result = await guarded(domains.updateOne(unchanged, { $set: { askedAt: at } }));
          return result.matchedCount === 1;
        },

        /**
         * Changes a domain and writes its event, atomically. Concurrent changes are applied in sequence.
         * @param work undefined: no change
         * @returns null: there is no such domain
         */
        change: (
          name: string,
          work: (domain: DomainDocument) => DomainChange | undefined,
        ): Promise<DomainDocument | null> =>
          writes.transact(async (session) => {
            const known = await domains.findOne(nameOf(name), { session });
            const change = known && work(known);
            if (!change) return known;
            await domains.replaceOne(nameOf(name), change.domain, { session });
            await noteChange(session, name);
            if (change.event) {
              await events.insertOne({ ...change.event, accountId }, { session });
              await outbox.publish(session, accountId, [eventOf(change.event)]);
            }
            return change.domain;
          }),

        /** Replaces or removes the link of a domain; false: there is no such domain. */
        setLink: (name: string, link: DomainDocument["link"], audit: Audit): Promise<boolean> =>
          writes.transact(async (session) => {
            const before = await domains.findOne(nameOf(name), { session });
            if (!before) return false;
            const { link: former, ...rest } = before;
            if (link || former)
              await audited.update(session, audit, before, { ...rest, ...(link && { link }) });
            return true;
          }),

        /**
         * Removes a domain with its keys. Its events stay. False: there was none.
         * @param removal its check throws if rules, schedules or keys still need the domain; then nothing is changed
         */
        remove: (
          name: string,
          audit: Audit,
          { check, isProven = false }: SenderRemoval = {},
        ): Promise<boolean> =>
          writes.transact(async (session) => {
            await users.exclude(session, accountId);
            const before = await domains.findOne(nameOf(name), { session });
            if (!before) return false;
            const use = isProven ? await users.ofSender(session, accountId, name, audit.now()) : NO_USE;
            check?.(use);
            await keys.deleteMany({ accountId, domain: name }, { session });
            await noteChange(session, name);
            await audited.remove(session, audit, before, { use });
            return true;
          }),

        /** Events of a domain, the latest first. */
        listEvents: (domain: string) =>
          guarded(events.find({ accountId, domain }).sort({ _id: -1 }).limit(LISTED_EVENTS_MAX).toArray()),
      };
    },

    acrossAccounts: {
      /** Domains with a due check, the longest overdue first. Only readable ones. */
      async listDue(now: Date, limit: number): Promise<DomainDocument[]> {
        const due = { nextCheckAt: { $lte: now } };
        const { documents } = await readEach<DomainDocument>((options) =>
          domains.find(due, options).sort({ nextCheckAt: 1 }).limit(limit),
        );
        return documents;
      },

      /** Claims a due domain until a time; false: another process has claimed it. */
      async claim(
        { _id, accountId, nextCheckAt }: Pick<DomainDocument, "_id" | "accountId" | "nextCheckAt">,
        until: Date,
      ): Promise<boolean> {
        const unclaimed = { _id, accountId, nextCheckAt };
        const result = await guarded(domains.updateOne(unclaimed, { $set: { nextCheckAt: until } }));
        return result.matchedCount === 1;
      },
    },
  };
}

function eventOf({ _id: eventId, kind, at, domain, from, to, reasons }: DomainEventDocument): OutboxEvent {
  return { eventId, type: kind, at, subject: { kind: "domain", change: { domain, from, to, reasons } } };
}
