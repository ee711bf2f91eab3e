import { randomUUID } from "node:crypto";
import { Binary } from "mongodb";
import { guarded, isDuplicateKey, storeFault } from "../store-fault.ts";
import {
  chunkBitsFor,
  countPacked,
  createCut,
  type MergeSource,
  mergeIds,
  piecesOf,
  type RunPiece,
} from "./merge.ts";
import { unpackId } from "./packed-ids.ts";
import { decodePostings } from "./postings.ts";
import {
  bufferOf,
  dayPrefix,
  fencesId,
  idChunks,
  idsId,
  postingsId,
  type SearchChunkDocument,
  type SearchCollections,
  type SearchDayDocument,
  type SearchRun,
} from "./search-documents.ts";

const CHUNKS_AT_ONCE = 64;

/** Stored runs. A written run takes effect when the document of its day names it. */
export function createStoredRuns({ days, chunks }: Pick<SearchCollections, "days" | "chunks">) {
  return {
    /** Undefined: it no longer exists. */
    async open(run: SearchRun): Promise<MergeSource | undefined> {
      const ids: string[] = [];
      for (let chunk = 0; chunk < idChunks(run); chunk++) {
        const found = await guarded(chunks.findOne({ _id: idsId(run, chunk) }));
        if (!found) return undefined;
        const data = bufferOf(found.data);
        for (let index = 0; index < countPacked(data); index++) ids.push(unpackId(data, index));
      }
      let at = -1;
      let cut = createCut([]);
      return {
        ids,
        postings: async (chunk, chunkBits) => {
          const own = Math.floor(chunk / 2 ** (chunkBits - run.chunkBits));
          if (own !== at) {
            const found = await guarded(chunks.findOne({ _id: postingsId(run, own) }));
            cut = createCut(found ? [...decodePostings(bufferOf(found.data))] : []);
            at = own;
          }
          return cut(chunk, chunkBits);
        },
      };
    },

    /** Writes the run with the messages of all sources. */
    async write(day: number, sources: readonly MergeSource[]): Promise<SearchRun> {
      const merged = await mergeIds(sources);
      const { length: messages } = merged.ids;
      const chunkBits = chunkBitsFor(messages);
      const run = { id: dayPrefix(day) + randomUUID(), messages, chunkBits };
      let pieces: SearchChunkDocument[] = [];
      const write = async () => {
        if (pieces.length > 0) await guarded(chunks.insertMany(pieces, { ordered: false }));
        pieces = [];
      };
      for await (const piece of piecesOf(sources, merged, chunkBits)) {
        pieces.push({ _id: pieceId(run, piece), data: new Binary(piece.data) });
        if (pieces.length >= CHUNKS_AT_ONCE) await write();
      }
      await write();
      return run;
    },

    /**
     * Replaces the runs in a day's document if it is unchanged since it was read.
     * @returns false: another process has changed it
     */
    async name(
      day: number,
      document: SearchDayDocument | null,
      runs: readonly SearchRun[],
      changedAt: Date,
    ): Promise<boolean> {
      try {
        if (!document) {
          await days.insertOne({ _id: day, version: 1, runs, changedAt });
          return true;
        }
        const { version } = document;
        const update = { $set: { runs, version: version + 1, changedAt } };
        return (await days.updateOne({ _id: day, version }, update)).matchedCount === 1;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw storeFault(error);
      }
    },

    /** Removes runs that no day names any more. */
    async remove(runs: readonly SearchRun[]): Promise<void> {
      for (const { id } of runs) {
        await guarded(chunks.deleteMany({ _id: { $gte: `${id}.`, $lt: `${id}/` } }));
      }
    },
  };
}

function pieceId(run: SearchRun, piece: RunPiece): string {
  if (piece.kind === "fences") return fencesId(run);
  return piece.kind === "ids" ? idsId(run, piece.chunk) : postingsId(run, piece.chunk);
}
