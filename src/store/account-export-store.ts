import type { Db, Document, Filter } from "mongodb";
import { fault } from "../shared/fault.ts";
import { type WalkedCollection, type WalkedDocument, walkOf } from "./collections/collections.ts";
import { eventsOfMessage } from "./event-id.ts";
import type { EventDocument } from "./message-documents.ts";
import { type EndedMessage, withEnds } from "./message-end.ts";
import { type Found, readEach, type UnreadableDocument } from "./read-each.ts";

const AT_ONCE = 100;

type By = readonly [field: string, direction: 1 | -1];

/**
 * Position at which a walk continues: after the document with these values, or after all documents with the first
 * value.
 */
export type WalkPosition = readonly unknown[];

export interface WalkedPage<T> {
  readonly documents: readonly T[];
  /** Existing documents that cannot be read. */
  readonly unreadable: readonly UnreadableDocument[];
  /** Undefined: this was the last page. */
  readonly next: WalkPosition | undefined;
}

/** All data of an account, in pages. Between two pages the caller keeps a position, not a database cursor. */
export function createAccountExportStore(db: Db) {
  const events = db.collection<EventDocument>("events");

  return {
    forAccount: (accountId: string) => ({
      /**
       * @throws Fault store.unavailable; internal.error if the whole page is too damaged to determine the next
       * position
       */
      async page<C extends WalkedCollection>(
        name: C,
        position?: WalkPosition,
      ): Promise<WalkedPage<WalkedDocument<C>>> {
        const { fixed = {}, without = [], limit = AT_ONCE, faultOf, ...walk } = walkOf(name);
        const by = walk.by.map(directed);
        const isWithin = position !== undefined && position.length === by.length && by.length === 2;
        const filter = { accountId, ...fixed, ...behind(by, position) };
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
          documents: found as unknown as WalkedDocument<C>[],
          unreadable,
          next: isLast
            ? isWithin
              ? position.slice(0, 1)
              : undefined
            : lastPosition(name, by, found, unreadable),
        };
      },

      /** Events of a message of the account, oldest first. */
      async listEvents(message: EndedMessage): Promise<Found<EventDocument>> {
        const { documents, unreadable } = await readEach<EventDocument>((options) =>
          events.find({ ...eventsOfMessage(message._id), accountId }, options).sort({ at: 1 }),
        );
        return { documents: withEnds(documents, [message]), unreadable };
      },
    }),
  };
}

/** `-_id`: by id, descending. */
const directed = (field: string): By => (field.startsWith("-") ? [field.slice(1), -1] : [field, 1]);

function behind(by: readonly By[], position: WalkPosition | undefined): Document {
  if (position === undefined) return {};
  const after = ([field, direction]: By, value: unknown) => ({
    [field]: { [direction === 1 ? "$gt" : "$lt"]: value },
  });
  const [first, second] = by;
  if (!first) return {};
  if (!second || position.length === 1) return after(first, position[0]);
  return { [first[0]]: position[0], ...after(second, position[1]) };
}

/** The last of the documents that are readable so far. */
function lastPosition(
  name: string,
  by: readonly By[],
  found: readonly Document[],
  unreadable: readonly UnreadableDocument[],
): WalkPosition {
  const positions = [
    ...found.map((document) => by.map(([field]) => document[field])),
    ...unreadable.map(({ fields }) => by.map(([field]) => fields.get(field))),
  ].filter((position) => position.every((value) => value !== undefined));
  const last = positions.reduce<WalkPosition | undefined>(
    (best, position) => (best === undefined || compare(by, best, position) < 0 ? position : best),
    undefined,
  );
  if (last) return last;
  throw fault("internal.error", { internal: `a whole page of ${name} is damaged and cannot be sorted` });
}

function compare(by: readonly By[], a: WalkPosition, b: WalkPosition): number {
  for (const [index, [, direction]] of by.entries()) {
    const [left, right] = [a[index] as string, b[index] as string];
    if (left < right) return -direction;
    if (left > right) return direction;
  }
  return 0;
}
