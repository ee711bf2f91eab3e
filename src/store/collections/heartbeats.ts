import type {
  HeartbeatDocument,
  HeartbeatPingDocument,
  LivenessDocument,
  OutageDocument,
} from "../heartbeat-documents.ts";
import { byName, EXPIRES, ID_ONLY, ifPresent, type Manifest } from "./manifest.ts";

export interface HeartbeatDocuments {
  readonly heartbeats: HeartbeatDocument;
  readonly heartbeatPings: HeartbeatPingDocument;
  readonly outages: OutageDocument;
  readonly liveness: LivenessDocument;
}

export const heartbeatManifest = {
  heartbeats: {
    indexes: [
      { key: { accountId: 1, _id: -1 } },
      { key: { tokenHash: 1 }, unique: true },
      { key: { dueAt: 1 }, name: "due", ...ifPresent("dueAt") },
    ],
    deletion: "settings",
    export: { by: ["-_id"], without: ["tokenHash"] },
    audited: {
      heartbeat: {
        _id: "ignore",
        accountId: "ignore",
        name: "track",
        schedule: { kind: "track", periodMs: "track", expression: "track", timezone: "track" },
        graceMs: "track",
        severity: "track",
        eventType: "track",
        source: "track",
        entityType: "track",
        entityId: "track",
        tags: "track",
        paused: "track",
        expectedAt: "ignore",
        lastPingAt: "ignore",
        lastPingKind: "ignore",
        lastSuccessAt: "ignore",
        startedAt: "ignore",
        durationMs: "ignore",
        excusedAt: "ignore",
        down: "ignore",
        changedAt: "ignore",
        tokenHash: "secret",
        tokenPrefix: "ignore",
        tokenAt: "ignore",
        createdAt: "ignore",
        updatedAt: "ignore",
        dueAt: "ignore",
        changes: "ignore",
        pending: "ignore",
        pings: "ignore",
        revision: "ignore",
      },
    },
    named: { heartbeat: byName },
  },
  heartbeatPings: {
    indexes: [{ key: { accountId: 1, heartbeatId: 1, number: -1 } }, EXPIRES],
    deletion: "settings",
    export: { within: "heartbeat" },
    audited: {},
  },
  outages: { owner: "installation", indexes: [{ key: { to: -1 } }, EXPIRES], audited: {} },
  liveness: { owner: "installation", indexes: [ID_ONLY], audited: {} },
} as const satisfies Manifest<HeartbeatDocuments>;
