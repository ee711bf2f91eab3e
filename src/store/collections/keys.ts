import type { KeyDocument, KeyUsesDocument } from "../documents.ts";
import { EXPIRES, ifPresent, type Manifest } from "./manifest.ts";

export interface KeyDocuments {
  readonly apiKeys: KeyDocument;
  readonly keyUses: KeyUsesDocument;
}

export const keyManifest = {
  apiKeys: {
    indexes: [
      { key: { hash: 1 }, unique: true },
      { key: { accountId: 1, prefix: 1 } },
      { key: { accountId: 1, _id: 1 } },
      { key: { accountId: 1, kind: 1, _id: 1 } },
      { key: { accountId: 1, lastUsedAt: -1 }, name: "used", ...ifPresent("lastUsedAt") },
      { key: { accountId: 1, expiresAt: 1 }, name: "expiring", ...ifPresent("expiresAt") },
      // Keys that are restricted to some sender addresses.
      { key: { accountId: 1, senders: 1 } },
    ],
    deletion: "access",
    export: { by: ["_id"], without: ["hash", "passwordHash"] },
    audited: {
      key: {
        _id: "ignore",
        accountId: "ignore",
        workspaceId: "track",
        name: "track",
        kind: "track",
        prefix: "track",
        hash: "ignore",
        passwordHash: "secret",
        scopeMode: "track",
        scopes: "track",
        senders: "track",
        allowedAddresses: "track",
        createdAt: "ignore",
        lastUsedAt: "ignore",
        lastUsedFrom: "ignore",
        lastUsedBy: "ignore",
        revokedAt: "track",
        expiresAt: "track",
        supersededAt: "track",
      },
    },
    named: { key: ({ name, prefix }) => ({ name: name || prefix }) },
  },
  keyUses: {
    indexes: [{ key: { accountId: 1, keyId: 1, day: 1 } }, EXPIRES],
    deletion: "settings",
    export: { within: "key" },
    audited: {},
  },
} as const satisfies Manifest<KeyDocuments>;
