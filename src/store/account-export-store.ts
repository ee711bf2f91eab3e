import type { Db, Document, Filter } from "mongodb";
import type { Incident } from "../alerts/incident.ts";
import type { Inhibition, Silence } from "../alerts/mutes.ts";
import { fault } from "../shared/fault.ts";
import type {
  AggregateReportDocument,
  DmarcRollupDocument,
  ReportInboxDocument,
  TlsRollupDocument,
} from "./aggregate-report-documents.ts";
import type { AlertDocument, AlertRuleDocument } from "./alert-documents.ts";
import { type AuditEntryDocument, auditOutcomes } from "./audit/entry-document.ts";
import type { CounterDocument } from "./counters/counter-documents.ts";
import type { SendingDayDocument } from "./counters/sending-days.ts";
import type * as documents from "./documents.ts";
import type { DomainDocument, DomainEventDocument } from "./domain-document.ts";
import type { ErasureDocument } from "./erasure-document.ts";
import { eventsOfMessage } from "./event-store.ts";
import type {
  ClientDocument,
  IntelReportDocument,
  WatchChangeDocument,
  WatchedDomainDocument,
  WorkspaceDocument,
} from "./intel-documents.ts";
import type { JobDocument, JobResultsDocument } from "./job-documents.ts";
import type {
  EventDocument,
  MessageDocument,
  QuarantineDocument,
  SandboxDocument,
} from "./message-documents.ts";
import { messageFault } from "./message-fault.ts";
import type { PolicyDocument } from "./policy-document.ts";
import { type Found, readEach, type UnreadableDocument } from "./read-each.ts";
import type { RequestsDocument } from "./request-store.ts";
import type { ScheduleDocument } from "./schedule-documents.ts";
import type { InvitationDocument } from "./user-documents.ts";
import type { WebhookEndpointDocument } from "./webhook-documents.ts";

/** What the collections that an export walks through have, without secrets: by collection. */
export interface WalkedDocuments {
  readonly members: documents.MemberDocument;
  readonly invitations: Omit<InvitationDocument, "hash">;
  readonly apiKeys: Omit<documents.KeyDocument, "hash" | "passwordHash">;
  readonly senders: Omit<documents.SenderDocument, "linkHash">;
  readonly domains: DomainDocument;
  readonly domainEvents: DomainEventDocument;
  /** Passwords are as they are stored: encrypted. */
  readonly policies: PolicyDocument;
  readonly templateHeads: documents.TemplateHeadDocument;
  readonly templates: documents.TemplateDocument;
  readonly suppressions: documents.SuppressionDocument;
  readonly messages: MessageDocument;
  readonly sandboxMessages: Omit<SandboxDocument, "source" | "chunkCount">;
  readonly quarantine: QuarantineDocument;
  readonly requests: Pick<RequestsDocument, "_id" | "accountId" | "entries">;
  readonly jobs: JobDocument;
  readonly jobResults: JobResultsDocument;
  readonly erasures: ErasureDocument;
  readonly counters: CounterDocument;
  readonly alertRules: AlertRuleDocument;
  readonly silences: Silence;
  readonly inhibitions: Inhibition;
  readonly incidents: Incident;
  readonly alerts: AlertDocument;
  readonly webhookEndpoints: Omit<WebhookEndpointDocument, "secrets" | "headers">;
  readonly workspaces: WorkspaceDocument;
  readonly intelClients: ClientDocument;
  readonly watchedDomains: WatchedDomainDocument;
  readonly watchChanges: WatchChangeDocument;
  readonly intelReports: IntelReportDocument;
  readonly reportSchedules: ScheduleDocument;
  readonly sendingDays: SendingDayDocument;
  readonly dmarcRollups: DmarcRollupDocument;
  readonly tlsRollups: TlsRollupDocument;
  readonly aggregateReports: AggregateReportDocument;
  readonly reportInboxes: ReportInboxDocument;
  readonly auditEntries: AuditEntryDocument;
}

export type WalkedCollection = keyof WalkedDocuments;

interface Walk {
  /** One index has the account, what is fixed, and these: together they are nobody else's in the account. */
  readonly by: readonly [By] | readonly [By, By];
  readonly fixed?: Document;
  /** Fields that nobody is to have. */
  readonly without?: readonly string[];
  /** Documents that are read at once; a hundred come in one answer of the server, so that no cursor can be lost. */
  readonly limit?: number;
  readonly faultOf?: (document: never) => string | undefined;
}
type By = readonly [field: string, direction: 1 | -1];

const AT_ONCE = 100;
/** Of documents that may have some hundred kilobytes. */
const FEW = 10;

const OLDEST_FIRST: Walk["by"] = [["_id", 1]];
/** What comes meanwhile is left out, however fast it comes. */
const NEWEST_FIRST: Walk["by"] = [["_id", -1]];

const walks: Readonly<Record<WalkedCollection, Walk>> = {
  members: { by: OLDEST_FIRST },
  invitations: { by: OLDEST_FIRST, without: ["hash"] },
  apiKeys: { by: OLDEST_FIRST, without: ["hash", "passwordHash"] },
  senders: { by: [["value", 1]], without: ["linkHash"] },
  domains: { by: [["name", 1]], limit: FEW },
  domainEvents: {
    by: [
      ["domain", 1],
      ["_id", -1],
    ],
  },
  policies: { by: [["name", 1]], limit: FEW },
  templateHeads: { by: [["name", 1]], limit: FEW },
  templates: {
    by: [
      ["name", 1],
      ["version", 1],
    ],
    limit: FEW,
  },
  suppressions: { by: OLDEST_FIRST },
  messages: { by: NEWEST_FIRST, faultOf: messageFault },
  sandboxMessages: { by: NEWEST_FIRST, without: ["source", "chunkCount"] },
  quarantine: { by: OLDEST_FIRST },
  requests: { by: NEWEST_FIRST, without: ["marks", "expireAt"], limit: FEW },
  jobs: { by: NEWEST_FIRST },
  jobResults: {
    by: [
      ["jobId", 1],
      ["_id", 1],
    ],
    limit: FEW,
  },
  erasures: { by: NEWEST_FIRST },
  webhookEndpoints: { by: OLDEST_FIRST, without: ["secrets", "headers", "sealedWith"] },
  alertRules: { by: [["name", 1]], limit: FEW },
  silences: { by: NEWEST_FIRST },
  inhibitions: { by: [["name", 1]] },
  incidents: { by: NEWEST_FIRST, limit: FEW },
  alerts: { by: NEWEST_FIRST, limit: FEW },
  workspaces: { by: OLDEST_FIRST },
  intelClients: {
    by: [
      ["workspaceId", 1],
      ["nameKey", 1],
    ],
  },
  watchedDomains: {
    by: [
      ["workspaceId", 1],
      ["name", 1],
    ],
    limit: FEW,
  },
  intelReports: {
    by: [
      ["workspaceId", 1],
      ["_id", -1],
    ],
    limit: FEW,
  },
  reportSchedules: {
    by: [
      ["workspaceId", 1],
      ["_id", 1],
    ],
  },
  watchChanges: {
    by: [
      ["workspaceId", 1],
      ["_id", -1],
    ],
  },
  sendingDays: { by: OLDEST_FIRST },
  dmarcRollups: { by: OLDEST_FIRST },
  tlsRollups: { by: OLDEST_FIRST },
  aggregateReports: { by: OLDEST_FIRST },
  reportInboxes: { by: OLDEST_FIRST, limit: FEW },
  counters: { by: [["at", 1]], fixed: { step: "day" } },
  // Named, as in every search: the index has it before the id.
  auditEntries: { by: NEWEST_FIRST, fixed: { outcome: { $in: [...auditOutcomes] } } },
};

/** Where a walk goes on: behind the document with these values, or behind all that have the first of them. */
export type WalkPlace = readonly unknown[];

export interface WalkedPage<T> {
  readonly documents: readonly T[];
  /** Those that are there, and cannot be read. */
  readonly unreadable: readonly UnreadableDocument[];
  /** Undefined: this was the last page. */
  readonly next: WalkPlace | undefined;
}

/** Everything that an account has, a page at a time: what is remembered between two pages is a place, and no cursor. */
export function createAccountExportStore(db: Db) {
  const events = db.collection<EventDocument>("events");

  return {
    forAccount: (accountId: string) => ({
      /** @throws Fault store.unavailable; internal.error where the whole page is so damaged that nothing tells what comes next */
      async page<C extends WalkedCollection>(
        name: C,
        place?: WalkPlace,
      ): Promise<WalkedPage<WalkedDocuments[C]>> {
        const { by, fixed = {}, without = [], limit = AT_ONCE, faultOf } = walks[name];
        const isWithin = place !== undefined && place.length === by.length && by.length === 2;
        const filter = { accountId, ...fixed, ...behind(by, place) };
        const projection = Object.fromEntries(without.map((field) => [field, 0]));
        const order = Object.fromEntries(isWithin ? by.slice(1) : by);
        const { documents: found, unreadable } = await readEach<Document & { readonly _id: string }>(
          (options) =>
            db
              .collection(name)
              .find(filter as Filter<Document>, { projection, ...options })
              .sort(order)
              .limit(limit),
          faultOf as (document: Document) => string | undefined,
        );
        const isLast = found.length + unreadable.length < limit;
        return {
          documents: found as unknown as WalkedDocuments[C][],
          unreadable,
          next: isLast ? (isWithin ? place.slice(0, 1) : undefined) : lastPlace(name, by, found, unreadable),
        };
      },

      /** What happened to a message, oldest first. */
      listEvents(messageId: string): Promise<Found<EventDocument>> {
        return readEach<EventDocument>((options) =>
          events.find({ ...eventsOfMessage(messageId), accountId }, options).sort({ at: 1 }),
        );
      },
    }),
  };
}

function behind(by: Walk["by"], place: WalkPlace | undefined): Document {
  if (place === undefined) return {};
  const after = ([field, direction]: By, value: unknown) => ({
    [field]: { [direction === 1 ? "$gt" : "$lt"]: value },
  });
  const [first, second] = by;
  if (!second || place.length === 1) return after(first, place[0]);
  return { [first[0]]: place[0], ...after(second, place[1]) };
}

/** Of those that can be read so far, the one that comes last. */
function lastPlace(
  name: string,
  by: Walk["by"],
  found: readonly Document[],
  unreadable: readonly UnreadableDocument[],
): WalkPlace {
  const places = [
    ...found.map((document) => by.map(([field]) => document[field])),
    ...unreadable.map(({ fields }) => by.map(([field]) => fields.get(field))),
  ].filter((place) => place.every((value) => value !== undefined));
  const last = places.reduce<WalkPlace | undefined>(
    (best, place) => (best === undefined || compare(by, best, place) < 0 ? place : best),
    undefined,
  );
  if (last) return last;
  throw fault("internal.error", { internal: `a whole page of ${name} is damaged beyond its order` });
}

function compare(by: Walk["by"], a: WalkPlace, b: WalkPlace): number {
  for (const [index, [, direction]] of by.entries()) {
    const [left, right] = [a[index] as string, b[index] as string];
    if (left < right) return -direction;
    if (left > right) return direction;
  }
  return 0;
}
