import { type AuditEntryDocument, auditOutcomes } from "../audit/entry-document.ts";
import { EXPIRES, ifPresent, type Manifest } from "./manifest.ts";

/** Filters of a search, besides outcome and time range: every combination. */
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
  // Newest first, for each combination of filters; a search always names outcomes.
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
    // As in every search: the index has the outcome before the id.
    export: { by: ["-_id"], fixed: { outcome: { $in: [...auditOutcomes] } } },
    audited: {},
  },
} as const satisfies Manifest<AuditDocuments>;
