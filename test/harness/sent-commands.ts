import type { CommandStartedEvent, Document } from "mongodb";
import { collections } from "../../src/store/collections/collections.ts";
import { bulkOperations } from "./bulk-writes.ts";
import { queriesOf } from "./query-plans.ts";
import { accountId } from "./store-calls.ts";

/** Fields of the shard key of a collection that grows; undefined: it stays on one shard. */
function shardFields(collection: string): readonly string[] | undefined {
  const key = Object.entries(collections).find(([name]) => name === collection)?.[1].shardKey;
  return key && Object.keys(key);
}

/** Whether a filter selects shards: the first field of the key has one value, or a list of values. */
const selectsShards = (filter: Document, [first = ""]: readonly string[]) => {
  const value = filter[first];
  return value !== undefined && value !== null && (value.constructor !== Object || "$in" in value);
};

/** Returns filters of writes and inserted documents that do not name the shard key of their collection. */
export function unsharded(sent: readonly CommandStartedEvent[]): string[] {
  return sent.flatMap((event) => {
    const { commandName, command } = event;
    const { documents = [], updates = [], deletes = [] } = command;
    const named: Document[] = [...documents, ...[...updates, ...deletes].map(({ q }) => q)];
    if (commandName === "findAndModify") named.push(command.query);
    const operations = [
      ...named.map((filter) => ({ collection: String(command[commandName]), filter })),
      ...bulkOperations(event).map(({ collection, document, filter }) => ({
        collection,
        filter: document ?? filter ?? {},
      })),
    ];
    return operations.flatMap(({ collection, filter }) => {
      const fields = shardFields(collection);
      if (!fields || selectsShards(filter, fields)) return [];
      return `${commandName} ${collection} ${Object.keys(filter)}`;
    });
  });
}

/** Returns the queries that every shard must answer, by shape. */
export function onAllShards(sent: readonly CommandStartedEvent[]): string[] {
  return sent.flatMap(queriesOf).flatMap(({ shape, collection, filter }) => {
    if (!/^(?:find|aggregate|count|distinct) /.test(shape)) return [];
    const fields = shardFields(collection);
    return !fields || selectsShards(filter, fields) ? [] : shape;
  });
}

/** An update that replaces the document. */
const isWhole = (update: Document) => !Object.keys(update).some((name) => name.startsWith("$"));

/** Returns filters and stored documents that name no account, or another one than the account of the calls. */
export function unbound(sent: readonly CommandStartedEvent[]): string[] {
  return sent.flatMap((event) => {
    const { commandName, command } = event;
    const collection = String(command[commandName]);
    // Chunks have their owner's id, which was found before; users belong to no account.
    if (collection === "chunks" || collection === "users") return [];
    // Search keys are hashed with the account, and matches are checked against the account's messages.
    if (collection.startsWith("search") || collection === "schema") return [];
    // States of blacklists belong to no account: one query serves all watchers.
    if (collection === "blacklistStates") return [];
    // No owner: each entry names the account for which it counts.
    if (collection.startsWith("journal") || collection === "installation") return [];
    const { filter, query, pipeline = [], documents = [], updates = [], deletes = [] } = command;
    const named: Document[] = [
      ...documents,
      ...[filter, query, pipeline[0]?.$match].filter(Boolean),
      ...bulkOperations(event).map((operation) => operation.document ?? operation.filter ?? {}),
      ...[...updates, ...deletes].map(({ q }) => q),
      ...updates.map(({ u }: Document) => u).filter(isWhole),
    ];
    return named
      .filter(({ _id, accountId: whose }) => {
        // Ids of suppressions begin with their account id.
        const ids: unknown[] = _id?.$in ?? [_id];
        const isPrefixed =
          collection === "suppressions" && ids.every((one) => String(one).startsWith(`${accountId}:`));
        const isItself = collection === "accounts" && _id === accountId;
        return whose !== accountId && !isPrefixed && !isItself;
      })
      .map((one) => `${commandName} ${collection}: ${Object.keys(one)}`);
  });
}
