import { type AuditEntryDocument, auditOutcomes } from "../audit/entry-document.ts";
import { EXPIRES, ifPresent, type Manifest } from "./manifest.ts";

/** Filters of a search, in addition to outcome and time range: every combination. */
const auditPaths = [
  [],
  ["actor.id"],
  ["target.id"],
  ["action"],
  ["actor.id", "target.id"],
  ["actor.id", "action"],
  ["target.id", "action"],
  ["actor.id", "target.id", "action"],
] as const;

export interface AuditDocuments {
  readonly auditEntries: AuditEntryDocument;
}

export const auditManifest = {
  // Newest first, for each combination of filters. A search always filters by outcome.
  auditEntries: {
    indexes: [
      ...auditPaths.map((paths) => ({
        key: Object.fromEntries([
          ...["accountId", ...paths, "outcome"].map((path) => [path, 1]),
          ["_id", -1],
        ]),
      })),
      { key: { userId: 1, _id: -1 }, name: "of_user", ...ifPresent("userId") },
      EXPIRES,
    ],
    deletion: "kept",
    // As in every search: in the index, the outcome precedes the id.
    export: { by: ["-_id"], fixed: { outcome: { $in: [...auditOutcomes] } } },
    audited: {},
  },
} as const satisfies Manifest<AuditDocuments>;
