import type { HeartbeatDocument, HeartbeatPingDocument } from "../../src/store/heartbeat-documents.ts";

const MADE_AT = new Date("2030-01-01T00:00:00.000Z");

/** A heartbeat of an hour that is up. */
export function heartbeatDocument(fields: Partial<HeartbeatDocument> = {}): HeartbeatDocument {
  return {
    _id: "hbt_1",
    accountId: "acc_test",
    name: "backup",
    schedule: { kind: "period", periodMs: 3_600_000 },
    graceMs: 300_000,
    severity: "critical",
    eventType: "heartbeat",
    source: "heartbeat",
    tags: [],
    tokenHash: "h1",
    tokenPrefix: "hm_ping_a1b2c3d4",
    tokenAt: MADE_AT,
    paused: false,
    createdAt: MADE_AT,
    updatedAt: MADE_AT,
    changes: 0,
    pending: [],
    pings: 0,
    revision: 0,
    ...fields,
  };
}

export function heartbeatPing(
  fields: Partial<HeartbeatPingDocument> & Pick<HeartbeatPingDocument, "expireAt">,
): Omit<HeartbeatPingDocument, "_id" | "accountId"> {
  const ping = { heartbeatId: "hbt_1", number: 1, at: MADE_AT, kind: "success", via: "token" } as const;
  return { ...ping, clientAddress: "192.0.2.1", ...fields };
}
