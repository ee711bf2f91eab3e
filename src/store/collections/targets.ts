import { sealedTargets } from "../sealing/sealed-target.ts";
import type { TargetDeliveryDocument, TargetDocument, TargetQueueDocument } from "../target-documents.ts";
import { byName, EXPIRES, ifPresent, type Manifest } from "./manifest.ts";

export interface TargetDocuments {
  readonly alertTargets: TargetDocument;
  readonly alertDeliveries: TargetDeliveryDocument;
  readonly alertLanes: TargetQueueDocument;
}

export const targetManifest = {
  alertTargets: {
    indexes: [{ key: { accountId: 1, _id: 1 } }, { key: { accountId: 1, name: 1 }, unique: true }],
    deletion: "access",
    export: { by: ["_id"], without: ["url", "secrets", "headers", "sealedWith"] },
    audited: {
      /** The URL permits every message to the channel, and headers may contain tokens. */
      alert_target: {
        _id: "ignore",
        accountId: "ignore",
        name: "track",
        kind: "track",
        url: "secret",
        description: "track",
        headers: { name: "track", value: "secret", setAt: "ignore" },
        secrets: { secret: "secret", createdAt: "ignore", expiresAt: "track" },
        ratePerSecond: "track",
        createdAt: "ignore",
        updatedAt: "ignore",
        revision: "ignore",
      },
    },
    named: { alert_target: byName },
    sealed: sealedTargets,
  },
  alertDeliveries: {
    indexes: [
      { key: { accountId: 1, endpointId: 1, _id: -1 } },
      { key: { accountId: 1, incidentId: 1, _id: 1 }, name: "of_incident", ...ifPresent("incidentId") },
      { key: { endpointId: 1, dueAt: 1 }, name: "due", ...ifPresent("dueAt") },
      EXPIRES,
    ],
    deletion: "settings",
    export: { omitted: "notices as alert targets received them; the incidents have them" },
    audited: {},
  },
  alertLanes: {
    indexes: [
      { key: { accountId: 1, _id: 1 } },
      { key: { slot: 1, wakeAt: 1 }, name: "awake", ...ifPresent("wakeAt") },
    ],
    deletion: "settings",
    export: { omitted: "times of next deliveries to alert targets" },
    audited: {},
  },
} as const satisfies Manifest<TargetDocuments>;
