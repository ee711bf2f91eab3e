import type { SuppressionDocument } from "../documents.ts";
import { EXPIRES, ifPresent, type Manifest } from "./manifest.ts";

/** Filters of the list, in addition to reasons, which every query contains. */
const suppressionPaths = [["domain"], ["policy"], ["domain", "policy"]] as const;

export interface SuppressionDocuments {
  readonly suppressions: SuppressionDocument;
}

export const suppressionManifest = {
  suppressions: {
    indexes: [
      { key: { accountId: 1, addressKey: 1, policy: 1 }, unique: true },
      { key: { accountId: 1, _id: 1 } },
      { key: { accountId: 1, reason: 1, _id: 1 } },
      ...suppressionPaths.map((paths) => ({
        key: Object.fromEntries(["accountId", ...paths, "reason", "_id"].map((path) => [path, 1])),
      })),
      { key: { accountId: 1, createdAt: -1, _id: -1 } },
      { key: { accountId: 1, reason: 1, createdAt: -1, _id: -1 } },
      { key: { accountId: 1, messageId: 1, _id: 1 }, name: "of_message", ...ifPresent("messageId") },
      EXPIRES,
    ],
    deletion: "settings",
    export: { by: ["_id"] },
    audited: {
      suppression: {
        _id: "ignore",
        accountId: "ignore",
        addressKey: "ignore",
        address: "track",
        domain: "ignore",
        reason: "track",
        policy: "track",
        messageId: "track",
        detail: "track",
        createdAt: "track",
        expireAt: "track",
      },
    },
    named: { suppression: ({ address }: Pick<SuppressionDocument, "address">) => ({ name: address }) },
  },
} as const satisfies Manifest<SuppressionDocuments>;
