import { createHash } from "node:crypto";
import { Binary, type Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { checkRevision } from "./content-revision.ts";
import { intelCollections } from "./intel-collections.ts";
import type { LabelDocument, LabelSettings, StoredLogo } from "./label-document.ts";
import { type ListPage, readPage } from "./list-page.ts";
import { labelRevision } from "./revisions.ts";
import { guarded } from "./store-fault.ts";

/** Settings of a label to store. */
export interface NewLabel extends Omit<LabelSettings, "logo"> {
  /** PNG with its size in pixels; `keep`: that of the present label; undefined: none. */
  readonly logo:
    | { readonly png: Uint8Array; readonly width: number; readonly height: number }
    | "keep"
    | undefined;
}

/** Labels of reports: at most one for each workspace and each client. */
export function createLabelStore(db: Db, writes: AuditedWrites) {
  const { labels, workspaces, clients } = intelCollections(db);
  const audited = writes.of("label", labels, labelRevision);

  return {
    forAccount: (accountId: string) => ({
      find: (id: string) => guarded(labels.findOne({ _id: id, accountId })),

      /** Labels with these ids, in any order. */
      findAll: (ids: readonly string[]): Promise<LabelDocument[]> =>
        guarded(labels.find({ _id: { $in: [...ids] }, accountId }).toArray()),

      /** Labels of the clients first. */
      list: (workspaceId: string, page: ListPage) =>
        readPage(labels, { accountId, workspaceId }, page, "_id", { projection: { "logo.data": 0 } }),

      /**
       * Creates or replaces the label of a workspace or client.
       * @returns null: there is no such workspace or client
       * @throws Fault resource.stale
       */
      put: (
        id: string,
        { logo: given, ...settings }: NewLabel,
        audit: Audit,
        ifRevision?: string,
      ): Promise<LabelDocument | null> =>
        writes.transact(async (session) => {
          const owner = { _id: id, accountId };
          const workspace = await workspaces.findOne(owner, { session, projection: { _id: 1 } });
          const client = workspace
            ? null
            : await clients.findOne(owner, { session, projection: { workspaceId: 1 } });
          const workspaceId = workspace?._id ?? client?.workspaceId;
          if (workspaceId === undefined) return null;
          const before = (await labels.findOne(owner, { session })) ?? undefined;
          checkRevision(ifRevision, before && labelRevision(before));
          const logo = given === "keep" ? before?.logo : given && storedLogo(given);
          const updatedAt = audit.now();
          const scope = workspace ? "workspace" : "client";
          const label: LabelDocument = {
            ...owner,
            workspaceId,
            scope,
            ...settings,
            ...(logo && { logo }),
            createdAt: before?.createdAt ?? updatedAt,
            updatedAt,
          };
          if (!before) return audited.insert(session, audit, label);
          const isSame = labelRevision(before) === labelRevision(label);
          return isSame ? before : audited.update(session, audit, before, label);
        }),

      /** False: there is none. @throws Fault resource.stale */
      remove: async (id: string, audit: Audit, ifRevision?: string): Promise<boolean> =>
        (await audited.take({ _id: id, accountId }, audit, { ifRevision })) !== null,
    }),
  };
}

function storedLogo({ png, width, height }: Exclude<NewLabel["logo"], "keep" | undefined>): StoredLogo {
  const hash = createHash("sha256").update(png).digest("hex");
  return { data: new Binary(png), hash, sizeBytes: png.length, width, height };
}
