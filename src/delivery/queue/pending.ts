import { LRUCache } from "lru-cache";
import type { MessageBody } from "../../message/body.ts";
import type { MessageDocument } from "../../store/documents.ts";
import type { Priority } from "../../store/policy-document.ts";
import type { Entry } from "./backlog.ts";

export interface Pending {
  /** Whether the message may wait here; counts it if so. */
  admit(message: MessageDocument): boolean;
  /** The body, if there is room for it: otherwise it is read again when its turn comes. */
  keep(message: MessageDocument, content: MessageBody | undefined): MessageBody | undefined;
  /** Whether bodies of this size, together, would be kept. */
  hasRoomFor(sizeBytes: number): boolean;
  has(id: string): boolean;
  /** Whether the message waits, is under way or was just finished: nothing to be started. */
  knows(message: MessageDocument): boolean;
  leave(entry: Entry): void;
  /** Remembers that these attempts of a message are made: a slow poll or a late offer must not repeat one. */
  settle(id: string, attempts: number): void;
  size(priority: Priority): number;
  /** Domains of which so much waits that more would keep the others out. */
  crowdedDomains(priority: Priority): string[];
}

export interface PendingOptions {
  readonly holds: (partition: number) => boolean;
  readonly inFlight: ReadonlyMap<string, unknown>;
}

/** Messages of one class that wait in memory at most; the store has the others. */
export const MAX_PENDING = 5_000;
const MAX_OF_DOMAIN = 1_000;
const MAX_CONTENT_BYTES = 64 * 1024 * 1024;
/** Longer than any poll under way remembers messages that were finished meanwhile. */
const MAX_SETTLED = 50_000;

/** Keeps count of what waits in memory, so that neither a domain nor a class nor large bodies fill it. */
export function createPending({ holds, inFlight }: PendingOptions): Pending {
  const waiting = new Map<string, MessageDocument>();
  const contentBytes = new Map<string, number>();
  let allContentBytes = 0;
  const sizes: Record<Priority, number> = { transactional: 0, bulk: 0 };
  const ofDomain: Readonly<Record<Priority, Map<string, number>>> = {
    transactional: new Map(),
    bulk: new Map(),
  };
  const settled = new LRUCache<string, number>({ max: MAX_SETTLED });

  function count({ priority, recipientDomain }: MessageDocument, change: 1 | -1): void {
    sizes[priority] += change;
    const domains = ofDomain[priority];
    const left = (domains.get(recipientDomain) ?? 0) + change;
    if (left === 0) domains.delete(recipientDomain);
    else domains.set(recipientDomain, left);
  }

  function knows({ _id: id, attempts }: MessageDocument): boolean {
    return waiting.has(id) || inFlight.has(id) || (settled.get(id) ?? 0) > attempts;
  }

  return {
    knows,
    has: (id) => waiting.has(id),
    admit: (message) => {
      const { priority, recipientDomain } = message;
      if (sizes[priority] >= MAX_PENDING || !holds(message.partition) || knows(message)) return false;
      if ((ofDomain[priority].get(recipientDomain) ?? 0) >= MAX_OF_DOMAIN) return false;
      waiting.set(message._id, message);
      count(message, 1);
      return true;
    },
    keep: (message, content) => {
      if (!content || allContentBytes + message.sizeBytes > MAX_CONTENT_BYTES) return undefined;
      contentBytes.set(message._id, message.sizeBytes);
      allContentBytes += message.sizeBytes;
      return content;
    },
    hasRoomFor: (sizeBytes) => allContentBytes + sizeBytes <= MAX_CONTENT_BYTES,
    leave: ({ message }) => {
      if (!waiting.delete(message._id)) return;
      count(message, -1);
      allContentBytes -= contentBytes.get(message._id) ?? 0;
      contentBytes.delete(message._id);
    },
    settle: (id, attempts) => {
      settled.set(id, attempts);
    },
    size: (priority) => sizes[priority],
    crowdedDomains: (priority) =>
      [...ofDomain[priority]].filter(([, count]) => count >= MAX_OF_DOMAIN).map(([domain]) => domain),
  };
}
