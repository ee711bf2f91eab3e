import type { CommandStartedEvent, Document } from "mongodb";
import { bulkOperations } from "./bulk-writes.ts";
import { accountId } from "./store-calls.ts";

/** Collections that are sharded by bucket. */
const BUCKETED = ["messages", "contents", "events"];

/** Returns filters of writes and inserted documents that name no bucket. */
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
