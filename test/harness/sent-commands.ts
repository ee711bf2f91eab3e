import type { CommandStartedEvent, Document } from "mongodb";
import { bulkOperations } from "./bulk-writes.ts";
import { accountId } from "./store-calls.ts";

/** What a database is sharded by the bucket of. */
const BUCKETED = ["messages", "contents", "events"];

/** Filters of writes, and documents that are inserted, that name no bucket. */
export function unbucketed(sent: readonly CommandStartedEvent[]): string[] {
  return sent.flatMap((event) => {
    const { commandName, command } = event;
    const operations = bulkOperations(event).filter(({ collection }) => BUCKETED.includes(collection));
    if (!BUCKETED.includes(String(command[commandName])) && operations.length === 0) return [];
    const { documents = [], updates = [], deletes = [] } = command;
    const named: Document[] = [...documents, ...[...updates, ...deletes].map(({ q }) => q)];
    named.push(...operations.map(({ document, filter }) => document ?? filter ?? {}));
    if (commandName === "findAndModify") named.push(command.query);
    return named
      .filter(({ bucket }) => bucket === undefined || bucket === null)
      .map((one) => `${commandName} ${command[commandName]}: ${Object.keys(one)}`);
  });
}

/** An update that takes the place of what was there. */
const isWhole = (update: Document) => !Object.keys(update).some((name) => name.startsWith("$"));

/** Filters, and documents that are stored, that name another account than the one of the calls, or none. */
export function unbound(sent: readonly CommandStartedEvent[]): string[] {
  return sent.flatMap((event) => {
    const { commandName, command } = event;
    const collection = String(command[commandName]);
    // Pieces have their owner's id, which was found before; users are of no account.
    if (collection === "chunks" || collection === "users") return [];
    // What messages are found by is hashed together with the account; found is what the account's messages confirm.
    if (collection.startsWith("search") || collection === "schema") return [];
    // What lists have of a subject is nobody's: they are asked once for all who watch it.
    if (collection === "blacklistStates") return [];
    // Nobody's: each of its entries names the account that it counts for.
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
        // The ids of suppressions begin with their account's.
        const ids: unknown[] = _id?.$in ?? [_id];
        const isPrefixed =
          collection === "suppressions" && ids.every((one) => String(one).startsWith(`${accountId}:`));
        const isItself = collection === "accounts" && _id === accountId;
        return whose !== accountId && !isPrefixed && !isItself;
      })
      .map((one) => `${commandName} ${collection}: ${Object.keys(one)}`);
  });
}
