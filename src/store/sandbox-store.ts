import { Binary, type Db } from "mongodb";
import type { SandboxDocument } from "./documents.ts";
import { insertMissing } from "./insert-missing.ts";
import { guarded } from "./store-fault.ts";

export interface CapturedMessage extends Omit<SandboxDocument, "_id" | "source" | "sizeBytes"> {
  /** The message id. */
  readonly id: string;
  readonly source: Uint8Array;
}

export type SandboxStore = ReturnType<typeof createSandboxStore>;

export function createSandboxStore(db: Db) {
  const captured = db.collection<SandboxDocument>("sandboxMessages");

  return {
    /** Captures messages; one that is there already, from an attempt that crashed, stays as it is. */
    insertMissing: (messages: readonly CapturedMessage[]) =>
      insertMissing(
        captured,
        messages.map(({ id, source, ...fields }) => ({
          _id: id,
          ...fields,
          source: new Binary(source),
          sizeBytes: source.length,
        })),
      ),

    /** Newest first, without their source. */
    list: (limit: number, beforeId?: string): Promise<Omit<SandboxDocument, "source">[]> =>
      guarded(
        captured
          .find(beforeId === undefined ? {} : { _id: { $lt: beforeId } })
          .project<Omit<SandboxDocument, "source">>({ source: 0 })
          .sort({ _id: -1 })
          .limit(limit)
          .toArray(),
      ),

    find: (id: string) => guarded(captured.findOne({ _id: id })),
    clear: async (): Promise<number> => (await guarded(captured.deleteMany({}))).deletedCount,
  };
}
