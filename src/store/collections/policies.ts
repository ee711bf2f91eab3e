import type { Classes } from "../audit/classes.ts";
import type { PolicyDocument } from "../policy-document.ts";
import { sealedPolicies } from "../sealing/sealed-policy.ts";
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
} as const satisfies Manifest<PolicyDocuments>;
