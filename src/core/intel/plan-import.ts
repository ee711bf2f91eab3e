import { type Fault, fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { ClientDocument, ClientSettings } from "../../store/intel-documents.ts";
import { foldName } from "../../store/search-keys.ts";
import type { AccountStore } from "../../store/store.ts";
import { MAX_DOMAINS } from "../../store/watch-store.ts";
import type { ImportRow, RefusedRow } from "./read-import.ts";

/** Expected result of a row. */
export type PlannedRow =
  | {
      readonly outcome: "added" | "already_there";
      readonly row: ImportRow;
      /** The row creates its client. */
      readonly isNewClient: boolean;
    }
  | { readonly outcome: "refused"; readonly refused: RefusedRow };

/** A client that rows may name: a present one, or one that an earlier row creates. */
interface Owner {
  /** Missing: the import creates it. */
  readonly id?: string;
  readonly status: ClientDocument["status"];
  readonly settings: Pick<ClientSettings, "name" | "externalRef">;
}

/** Finds the clients of rows, by reference and then by name. */
export function createOwners(known: readonly ClientDocument[]) {
  const byRef = new Map<string, Owner>();
  const byName = new Map<string, Owner>();
  const add = (owner: Owner) => {
    const { name, externalRef } = owner.settings;
    byName.set(foldName(name), owner);
    if (externalRef !== undefined) byRef.set(externalRef, owner);
  };
  for (const client of known) add({ id: client._id, status: client.status, settings: client });
  return {
    add,
    find: ({ name, externalRef }: ClientSettings): Owner | undefined =>
      (externalRef === undefined ? undefined : byRef.get(externalRef)) ?? byName.get(foldName(name)),
  };
}

/**
 * Finds the result that an import of these rows would have now. The rows are processed in their order, as the import
 * does.
 */
export async function planImport(
  { workspaces, watches }: AccountStore,
  workspaceId: string,
  rows: readonly (ImportRow | RefusedRow)[],
): Promise<PlannedRow[]> {
  const readable = rows.flatMap((row) => ("name" in row ? [row] : []));
  const [workspace, clients, domains] = await Promise.all([
    workspaces.find(workspaceId),
    workspaces.findClientsNamed(workspaceId, clientNames(readable)),
    watches.findOwners(workspaceId, [...new Set(readable.map(({ name }) => name))]),
  ]);
  if (!workspace) throw fault("workspace.unknown");
  const owners = createOwners(clients);
  const owned = new Map<string, Owner | string>(domains);
  let count = workspace.tally.domains;
  return rows.map((row): PlannedRow => {
    if (!("name" in row)) return { outcome: "refused", refused: row };
    const found = owners.find(row.client);
    const owner: Owner = found ?? { status: "active", settings: row.client };
    const present = owned.get(row.name);
    if (present !== undefined && (present === found || present === found?.id))
      return { outcome: "already_there", row, isNewClient: false };
    const refused = (
      field: RefusedRow["field"],
      { code, public: message, text: { params } }: Fault,
    ): PlannedRow => ({
      outcome: "refused",
      refused: { row: row.row, domain: row.name, code, field, message, params },
    });
    if (present !== undefined) {
      const told = say("workspace_watches_already", { name: row.name });
      return refused("domain", fault("domain.duplicate", { public: told }));
    }
    if (owner.status === "archived") return refused("client", fault("client.archived"));
    if (count >= MAX_DOMAINS) return refused("", fault("watched_domain.too_many"));
    if (!found) owners.add(owner);
    owned.set(row.name, owner.id ?? owner);
    count++;
    return { outcome: "added", row, isNewClient: !found };
  });
}

/** Names and references that find the clients of rows. */
export function clientNames(rows: readonly ImportRow[]) {
  return {
    names: [...new Set(rows.map(({ client }) => client.name))],
    refs: [...new Set(rows.flatMap(({ client }) => client.externalRef ?? []))],
  };
}
