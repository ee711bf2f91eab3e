import type { ErasureDocument } from "../erasure-document.ts";
import type { RetentionDocument } from "../retention-document.ts";
import { EXPIRES, ifPresent, type Manifest, unnamed } from "./manifest.ts";

export interface PrivacyDocuments {
  readonly erasures: ErasureDocument;
  readonly retentions: RetentionDocument;
}

export const privacyManifest = {
  erasures: {
    indexes: [
      { key: { accountId: 1, _id: -1 } },
      { key: { heldUntil: 1 }, name: "open", ...ifPresent("heldUntil") },
      EXPIRES,
    ],
    deletion: "settings",
    export: { by: ["-_id"] },
    audited: {
      /** No tracked field contains the erased address. */
      erasure: {
        _id: "ignore",
        accountId: "ignore",
        address: "ignore",
        salt: "ignore",
        addressHash: "ignore",
        keepSuppressed: "track",
        requestedAt: "track",
        requestedBy: "ignore",
        removed: "track",
        heldUntil: "ignore",
        waiting: "ignore",
        finishedAt: "track",
        look: { at: "ignore", messages: "track", captured: "track", auditEntries: "track" },
        left: { sharedBodies: "track", mentions: "track", suppressions: "track" },
        expireAt: "ignore",
      },
    },
    named: { erasure: unnamed },
  },
  retentions: {
    indexes: [{ key: { accountId: 1 } }, { key: { dueAt: 1 } }],
    deletion: "settings",
    export: { within: "account" },
    audited: {
      /** Retention times of the account. */
      retention: {
        _id: "ignore",
        accountId: "ignore",
        contentDays: "track",
        messageDays: "track",
        requestDays: "track",
        sandboxHours: "track",
        changedAt: "ignore",
        dueAt: "ignore",
        appliedAt: "ignore",
        bodiesUntil: "ignore",
      },
    },
    named: { retention: unnamed },
  },
} as const satisfies Manifest<PrivacyDocuments>;
