import { BSON, type Db, type Document } from "mongodb";
import { bytesOf } from "../../src/store/chunk-store.ts";
import { decodeBatch } from "../../src/store/search/batch-code.ts";
import { countPacked } from "../../src/store/search/merge.ts";
import { unpackId } from "../../src/store/search/packed-ids.ts";
import { bufferOf, idChunks, idsId, searchCollections } from "../../src/store/search/search-documents.ts";

/** Returns the documents of all collections as lowercase text, with binary fields as they are and unpacked. */
export async function everythingStored(db: Db): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = (await db.listCollections().toArray()).map(({ name }) => name).sort();
  const found = new Map<string, readonly string[]>();
  for (const name of names) {
    const documents = await db.collection(name).find().toArray();
    found.set(
      name,
      documents.map((document) => textOf(document).normalize("NFC").toLowerCase()),
    );
  }
  return found;
}

/** Returns the collections that contain a text. */
export async function collectionsWith(db: Db, ...texts: readonly string[]): Promise<string[]> {
  const wanted = texts.map((text) => text.normalize("NFC").toLowerCase());
  const all = await everythingStored(db);
  return [...all].flatMap(([name, documents]) =>
    documents.some((document) => wanted.some((text) => document.includes(text))) ? [name] : [],
  );
}

/** Returns the ids of all messages in the search index. */
export async function indexedIds(db: Db): Promise<string[]> {
  const { batches, days, chunks } = searchCollections(db);
  const ids = new Set<string>();
  for (const { data } of await batches.find().toArray()) {
    for (const { id } of decodeBatch(bufferOf(data))) ids.add(id);
  }
  for (const run of (await days.find().toArray()).flatMap((day) => day.runs)) {
    for (let chunk = 0; chunk < idChunks(run); chunk++) {
      const data = bufferOf((await chunks.findOne({ _id: idsId(run, chunk) }))?.data as never);
      for (let at = 0; at < countPacked(data); at++) ids.add(unpackId(data, at));
    }
  }
  return [...ids].sort();
}

function textOf(value: unknown): string {
  if (value instanceof BSON.Binary) return Buffer.from(bytesOf(value)).toString();
  if (Array.isArray(value)) return value.map(textOf).join("\n");
  if (value instanceof Date) return value.toISOString();
  if (value !== null && typeof value === "object") {
    return Object.entries(value as Document)
      .map(([name, inner]) => `${name}: ${textOf(inner)}`)
      .join("\n");
  }
  return String(value);
}
