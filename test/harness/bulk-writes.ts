import type { CommandStartedEvent, Document } from "mongodb";

/** One operation of a `bulkWrite` over several collections. */
export interface BulkOperation {
  readonly collection: string;
  /** Document to insert. */
  readonly document?: Document;
  readonly filter?: Document;
  readonly updateMods?: Document;
}

/** Empty: it is another command. */
export function bulkOperations({ commandName, command }: CommandStartedEvent): BulkOperation[] {
  if (commandName !== "bulkWrite") return [];
  return command.ops.map(({ insert, update, ...operation }: Document) => {
    const { ns } = command.nsInfo[insert ?? update];
    return { collection: ns.slice(ns.indexOf(".") + 1), ...operation };
  });
}
