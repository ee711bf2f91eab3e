import type { Classes } from "../audit/classes.ts";
import type { PolicyDocument } from "../policy-document.ts";
import type { PolicyHoldDocument } from "../policy-hold-document.ts";
import { sealedPolicies } from "../sealing/sealed-policy.ts";
import { sealedVersions } from "../sealing/sealed-version.ts";
import type { SettingVersionDocument } from "../setting-versions.ts";
import { byName, FEW, ifPresent, type Manifest } from "./manifest.ts";

const transport: Classes<PolicyDocument["transports"][number]> = {
  kind: "track",
  servers: { host: "track", port: "track" },
  tls: "track",
  username: "track",
  password: "secret",
  maxConnections: "track",
  dkim: "track",
};

export interface PolicyDocuments {
  readonly policies: PolicyDocument;
  readonly settingVersions: SettingVersionDocument;
  readonly policyHolds: PolicyHoldDocument;
}

export const policyManifest = {
  policies: {
    indexes: [
      { key: { accountId: 1, name: 1 }, unique: true },
      {
        key: { accountId: 1 },
        name: "one_default",
        unique: true,
        partialFilterExpression: { default: true },
      },
      // Deleted policies that messages still need.
      { key: { expireAt: 1 }, expireAfterSeconds: 0, ...ifPresent("expireAt") },
    ],
    deletion: "settings",
    export: { by: ["name"], limit: FEW },
    audited: {
      policy: {
        _id: "ignore",
        accountId: "ignore",
        name: "track",
        default: "track",
        transports: transport,
        rules: { domains: "track", transports: transport },
        retryWaitsMs: "track",
        maxAgeMs: "track",
        priority: "track",
        limits: { concurrency: "track", messagesPerMinute: "track" },
        source: { address: "track", address6: "track", heloName: "track" },
        listUnsubscribe: "track",
        tracking: { opens: "track", clicks: "track" },
        storedBy: "track",
        updatedAt: "ignore",
        revision: "ignore",
        retiredAt: "ignore",
        expireAt: "ignore",
      },
    },
    named: { policy: byName },
    sealed: sealedPolicies,
  },
  settingVersions: {
    indexes: [
      { key: { accountId: 1, kind: 1, name: 1, number: 1 }, unique: true },
      // Versions that attempts of messages have used.
      { key: { accountId: 1, kind: 1, name: 1, revision: 1 } },
      // Versions of deleted policies that messages still need.
      { key: { expireAt: 1 }, expireAfterSeconds: 0, ...ifPresent("expireAt") },
    ],
    deletion: "settings",
    export: { omitted: "former states of settings, whose present state is exported" },
    audited: {},
    sealed: sealedVersions,
  },
  policyHolds: {
    indexes: [{ key: { accountId: 1, _id: 1 } }, { key: { accountId: 1, heldAt: 1 } }],
    deletion: "settings",
    export: { by: ["_id"] },
    audited: {
      policy_hold: {
        _id: "ignore",
        accountId: "ignore",
        policy: "track",
        destination: "track",
        reason: "track",
        heldAt: "ignore",
        heldBy: "ignore",
      },
    },
    named: { policy_hold: ({ policy }) => ({ name: policy }) },
  },
} as const satisfies Manifest<PolicyDocuments>;
