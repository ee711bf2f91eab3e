import type { ClientSession, Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import { fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { newId } from "../shared/ids.ts";
import type { AccountTransactions } from "./account-transactions.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { checkRevision } from "./content-revision.ts";
import { createFindClients } from "./find-clients.ts";
import type { IntelAnswers, Keyed } from "./intel-answers.ts";
import { intelCollections } from "./intel-collections.ts";
import type { ClientDocument, ClientSettings, WorkspaceDocument } from "./intel-documents.ts";
import { type CheckUse, NO_USE, type ResourceUsers } from "./resource-users.ts";
import { clientRevision, labelRevision, workspaceRevision } from "./revisions.ts";
import { scoreDayId } from "./score-day-document.ts";
import { foldName, wordKeys } from "./search-keys.ts";
import { guarded } from "./store-fault.ts";
import { emptyTally } from "./tally.ts";

export const MAX_WORKSPACES = 200;
/** Maximum number of clients of one workspace. */
export const MAX_CLIENTS = 10_000;

const NAME_OF_FIRST = "Default";

/** The default workspace. */
export function firstWorkspace(accountId: string, _id: string, createdAt: Date): WorkspaceDocument {
  return { ...emptyWorkspace(accountId, _id, createdAt), name: NAME_OF_FIRST, first: true };
}

function emptyWorkspace(accountId: string, _id: string, createdAt: Date) {
  return { _id, accountId, createdAt, tally: emptyTally, activeClients: 0 };
}

/** Workspaces, and the clients in them. */
export function createWorkspaceStore(
  db: Db,
  writes: AuditedWrites,
  {
    answers,
    transact,
    users,
  }: {
    readonly answers: IntelAnswers;
    readonly transact: AccountTransactions;
    readonly users: ResourceUsers;
  },
) {
  const { workspaces, clients, scoreDays, labels } = intelCollections(db);
  const findClients = createFindClients(clients);
  const auditedWorkspaces = writes.of("workspace", workspaces);
  const auditedClients = writes.of("client", clients);
  const auditedLabels = writes.of("label", labels, labelRevision);

  return {
    forAccount: (accountId: string) => {
      const inOne = <T>(work: (session: ClientSession) => Promise<T>) => transact(accountId, work);

      async function add(
        session: ClientSession,
        name: string,
        audit: Audit,
        isFirst: boolean,
      ): Promise<WorkspaceDocument> {
        const at = audit.now();
        return auditedWorkspaces.insert(session, audit, {
          ...emptyWorkspace(accountId, newId("ws", at), at),
          name,
          ...(isFirst && { first: true as const }),
        });
      }

      /** @throws Fault client.duplicate, which names the existing client */
      async function refuseTwins(
        session: ClientSession,
        { _id, workspaceId, nameKey, externalRef }: ClientDocument,
      ): Promise<void> {
        const of = { accountId, workspaceId, _id: { $ne: _id } };
        const namesake = await clients.findOne({ ...of, nameKey }, { session });
        if (namesake) throw duplicate(namesake, "name");
        if (externalRef === undefined) return;
        const other = await clients.findOne({ ...of, externalRef }, { session });
        if (other) throw duplicate(other, "external_ref");
      }

      async function countActive(session: ClientSession, workspaceId: string, change: 1 | -1): Promise<void> {
        await workspaces.updateOne(
          { _id: workspaceId, accountId },
          { $inc: { activeClients: change } },
          { session },
        );
      }

      return {
        /** The default workspace, created on first use. */
        async first(audit: Audit): Promise<WorkspaceDocument> {
          const known = await guarded(workspaces.findOne({ accountId, first: true }));
          if (known) return known;
          return inOne(async (session) => {
            const other = await workspaces.findOne({ accountId, first: true }, { session });
            return other ?? add(session, NAME_OF_FIRST, audit, true);
          });
        },

        find: (id: string) => guarded(workspaces.findOne({ _id: id, accountId })),

        /** All workspaces: the default one, then the others, the earliest first. */
        async list(): Promise<WorkspaceDocument[]> {
          const all = workspaces.find({ accountId }).sort({ _id: 1 }).limit(MAX_WORKSPACES);
          const found = await guarded(all.toArray());
          return [...found.filter(({ first }) => first), ...found.filter(({ first }) => !first)];
        },

        /** Number of workspaces, at most `most`. */
        count: (most: number) => guarded(workspaces.countDocuments({ accountId }, { limit: most })),

        /** @throws Fault workspace.too_many */
        create: (name: string, audit: Audit): Promise<WorkspaceDocument> =>
          inOne(async (session) => {
            const count = await workspaces.countDocuments({ accountId }, { session, limit: MAX_WORKSPACES });
            if (count >= MAX_WORKSPACES) throw fault("workspace.too_many");
            return add(session, name, audit, count === 0);
          }),

        /** @returns null: there is none. @throws Fault resource.stale */
        rename: (
          id: string,
          name: string,
          audit: Audit,
          ifRevision?: string,
        ): Promise<WorkspaceDocument | null> =>
          inOne(async (session) => {
            const before = await workspaces.findOne({ _id: id, accountId }, { session });
            if (!before) return null;
            checkRevision(ifRevision, workspaceRevision(before));
            return auditedWorkspaces.update(session, audit, before, { ...before, name });
          }),

        ...findClients(accountId),

        /**
         * @param answer answer to the request, stored under its idempotency key
         * @throws Fault workspace.unknown, client.duplicate, client.too_many, idempotency.key_reused
         */
        createClient: (
          workspaceId: string,
          settings: ClientSettings,
          audit: Audit,
          keyed?: Keyed<ClientDocument>,
        ): Promise<{ readonly client: ClientDocument } | { readonly answer: Uint8Array }> =>
          inOne(async (session) => {
            const earlier = keyed && (await answers.find(session, accountId, keyed));
            if (earlier) return { answer: earlier };
            const workspace = await workspaces.findOne({ _id: workspaceId, accountId }, { session });
            if (!workspace) throw fault("workspace.unknown");
            const at = audit.now();
            const client: ClientDocument = {
              _id: newId("cl", at),
              accountId,
              workspaceId,
              ...settings,
              ...keysOf(settings),
              status: "active",
              createdAt: at,
              updatedAt: at,
              tally: emptyTally,
            };
            await refuseTwins(session, client);
            const options = { session, limit: MAX_CLIENTS };
            if ((await clients.countDocuments({ accountId, workspaceId }, options)) >= MAX_CLIENTS)
              throw fault("client.too_many");
            await auditedClients.insert(session, audit, client);
            await countActive(session, workspaceId, 1);
            if (keyed) await answers.add(session, accountId, keyed, client);
            return { client };
          }),

        /**
         * Removes a client without domains, with the label of its reports. A client with domains is archived, so that it
         * gets no others, and stays until they are removed.
         * @param check throws if schedules still use the client; then nothing is changed
         * @returns null: there is none
         * @throws Fault resource.stale, client.not_empty
         */
        removeClient: (
          id: string,
          audit: Audit,
          {
            check,
            ifRevision,
            withDomains = false,
          }: {
            readonly check?: CheckUse;
            readonly ifRevision?: string | undefined;
            readonly withDomains?: boolean;
          } = {},
        ): Promise<"removed" | "archived" | null> =>
          inOne(async (session) => {
            await users.exclude(session, accountId);
            const before = await clients.findOne({ _id: id, accountId }, { session });
            if (!before) return null;
            checkRevision(ifRevision, clientRevision(before));
            const use = await users.ofClient(session, accountId, id);
            check?.(use);
            const isEmpty = before.tally.domains === 0;
            if (!isEmpty && !withDomains) throw fault("client.not_empty");
            if (before.status === "active") await countActive(session, before.workspaceId, -1);
            if (!isEmpty) {
              const after = { ...before, status: "archived" as const, updatedAt: audit.now() };
              if (before.status === "active")
                await auditedClients.update(session, audit, before, after, { use });
              return "archived";
            }
            await auditedClients.remove(session, audit, before, { use });
            const label = await labels.findOne({ _id: id, accountId }, { session });
            if (label) await auditedLabels.remove(session, audit, label);
            const ofClient = { $gte: scoreDayId(id, ""), $lt: scoreDayId(id, "~") };
            await scoreDays.deleteMany({ accountId, _id: ofClient }, { session });
            return "removed";
          }),

        /**
         * Replaces the settings of a client.
         * @param check throws if schedules still use an archived client; then nothing is changed
         * @returns null: there is none
         * @throws Fault client.duplicate, resource.stale
         */
        updateClient: (
          id: string,
          settings: ClientSettings,
          status: ClientDocument["status"],
          audit: Audit,
          { check, ifRevision }: { readonly check?: CheckUse; readonly ifRevision?: string | undefined } = {},
        ): Promise<ClientDocument | null> =>
          inOne(async (session) => {
            await users.exclude(session, accountId);
            const before = await clients.findOne({ _id: id, accountId }, { session });
            if (!before) return null;
            checkRevision(ifRevision, clientRevision(before));
            const isArchived = before.status === "active" && status === "archived";
            const use = isArchived ? await users.ofClient(session, accountId, id) : NO_USE;
            check?.(use);
            const { externalRef: _, notes: __, ...kept } = before;
            const after = { ...kept, ...settings, ...keysOf(settings), status, updatedAt: audit.now() };
            await refuseTwins(session, after);
            await auditedClients.update(session, audit, before, after, { use });
            if (before.status !== status)
              await countActive(session, before.workspaceId, status === "active" ? 1 : -1);
            return after;
          }),
      };
    },
  };
}

function keysOf({ name }: ClientSettings) {
  return { nameKey: foldName(name), searchKeys: wordKeys(name) };
}

function duplicate({ _id, name, status }: ClientDocument, field: "name" | "external_ref") {
  return fault("client.duplicate", {
    public: say(status === "archived" ? "archived_client_has" : "client_has", { name, field }),
    existing: { id: _id },
  });
}
