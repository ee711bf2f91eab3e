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
import type { ToldChange } from "./webhook-delivery-documents.ts";
import type { WebhookOutbox } from "./webhook-outbox.ts";

/** What a domain becomes, and what is told of it in the same moment. */
export interface DomainChange {
  readonly domain: DomainDocument;
  readonly event: DomainEventDocument | undefined;
}

/** Characters of chance in a token: nobody publishes one by accident, and it is no secret. */
const TOKEN_BYTES = 16;
const LISTED_EVENTS_MAX = 100;

/** A domain as lists have it. */
export interface ListedDomain extends Omit<DomainDocument, "records"> {
  readonly records: readonly Omit<RecordEvidence, "found">[];
}

/** A domain before it is stored: its id follows from what it is. */
export type NewDomain = Omit<DomainDocument, "_id" | "accountId">;

export function domainId(accountId: string, name: string): string {
  return `${accountId}.${name}`;
}

/** A domain of which nothing is known yet: it is looked at as soon as somebody has time. */
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
    readonly outbox: Pick<WebhookOutbox, "tell">;
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
        /** Adds a domain; the one that is there already wins. */
        add: (domain: NewDomain, audit: Audit): Promise<DomainDocument> =>
          writes.transact(async (session) => {
            const known = await domains.findOne(nameOf(domain.name), { session });
            if (known) return known;
            await noteChange(session, domain.name);
            return audited.insert(session, audit, { ...domain, ...nameOf(domain.name) });
          }),

        find: (name: string) => guarded(domains.findOne(nameOf(name))),

        /** Those of these names that there are. */
        async findNames(names: readonly string[]): Promise<Set<string>> {
          const ids = names.map((name) => domainId(accountId, name));
          const found = domains.find({ _id: { $in: ids }, accountId }, { projection: { name: 1 } });
          return new Set((await guarded(found.toArray())).map(({ name }) => name));
        },

        /** How many there are, as far as `most`. */
        count: (most: number) => guarded(domains.countDocuments({ accountId }, { limit: most })),

        /** By name, without the answers of name servers, which are most of a document. */
        list: async (page: ListPage): Promise<ListedDomain[]> =>
          readPage(domains, { accountId }, page, "name", { projection: { "records.found": false } }),

        /** Notes that somebody wants it looked at; false: somebody else does since `former` was read. */
        async ask({ name, askedAt }: Pick<DomainDocument, "name" | "askedAt">, at: Date): Promise<boolean> {
          const unchanged = { ...nameOf(name), askedAt: askedAt ?? { $exists: false } };
          const result = await guarded(domains.updateOne(unchanged, { $set: { askedAt: at } }));
          return result.matchedCount === 1;
        },

        /**
         * Changes a domain and writes what is told of it, both or nothing. Of several changes at once each begins with what
         * the one before has left.
         * @param work undefined: nothing is to change
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
              await outbox.tell(session, accountId, [toldOf(change.event)]);
            }
            return change.domain;
          }),

        /** Stores the link of a domain in the place of the former one, or removes it; false: there is no such domain. */
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
         * Removes a domain with its keys; its events stay. False: there was none.
         * @param removal its check throws when rules, schedules or keys that lose it speak against it; then nothing is changed
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

        /** What was told of a domain, the latest first. */
        listEvents: (domain: string) =>
          guarded(events.find({ accountId, domain }).sort({ _id: -1 }).limit(LISTED_EVENTS_MAX).toArray()),
      };
    },

    acrossAccounts: {
      /** Domains that are to be looked at by now, the longest overdue first; those that can be read. */
      async listDue(now: Date, limit: number): Promise<DomainDocument[]> {
        const due = { nextCheckAt: { $lte: now } };
        const { documents } = await readEach<DomainDocument>((options) =>
          domains.find(due, options).sort({ nextCheckAt: 1 }).limit(limit),
        );
        return documents;
      },

      /** Takes a domain that is due, so that nobody else does until then; false: somebody else has. */
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

function toldOf({ _id: eventId, kind, at, domain, from, to, reasons }: DomainEventDocument): ToldChange {
  return { eventId, type: kind, at, subject: { kind: "domain", change: { domain, from, to, reasons } } };
}
