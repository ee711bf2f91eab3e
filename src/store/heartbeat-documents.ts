import type { Alert, Severity } from "../alerts/alert.ts";
import type { HeartbeatProgress, HeartbeatTimes, Outage, PingKind } from "../alerts/heartbeat.ts";

/** Editable fields of a heartbeat. */
export interface HeartbeatSettings extends HeartbeatTimes {
  readonly name: string;
  readonly severity: Severity;
  readonly eventType: string;
  readonly source: string;
  /** Missing: the default. */
  readonly entityType?: string;
  /** Missing: the name. */
  readonly entityId?: string;
  readonly tags: readonly string[];
}

/** A change of the alert that the alert rules have not received yet. Its content is fixed against later settings. */
export interface PendingHeartbeatAlert {
  /** Counts the changes of the heartbeat, from 1. The idempotency key of the alert follows from it. */
  readonly number: number;
  readonly status: "firing" | "resolved";
  readonly at: Date;
  readonly alert: Alert;
}

/** The token of a heartbeat, as it is stored. */
export interface HeartbeatToken {
  readonly tokenHash: string;
  /** Unencrypted beginning. */
  readonly tokenPrefix: string;
  readonly tokenAt: Date;
}

export interface HeartbeatDocument extends HeartbeatSettings, HeartbeatProgress, HeartbeatToken {
  /** `hbt_…`. */
  readonly _id: string;
  readonly accountId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Time of the next action of the background check. Missing: none. */
  readonly dueAt?: Date;
  /** Number of changes of the alert. */
  readonly changes: number;
  /** In their order. */
  readonly pending: readonly PendingHeartbeatAlert[];
  /** Number of received pings. */
  readonly pings: number;
  /** Incremented with every write. */
  readonly revision: number;
}

/** A received ping, in `heartbeatPings`. A later one takes the place of an old one. */
export interface HeartbeatPingDocument {
  /** `heartbeat.slot`. */
  readonly _id: string;
  readonly accountId: string;
  readonly heartbeatId: string;
  /** Number among all pings of the heartbeat, from 1. */
  readonly number: number;
  readonly at: Date;
  readonly kind: PingKind;
  readonly exitStatus?: number;
  readonly durationMs?: number;
  readonly via: "token" | "key";
  readonly clientAddress: string;
  readonly expireAt: Date;
}

/** A time without any running core, in `outages`. */
export interface OutageDocument extends Outage {
  /** Its beginning, in ISO 8601. */
  readonly _id: string;
  readonly expireAt: Date;
}

/** Last time at which a core was running, in `liveness`. */
export interface LivenessDocument {
  readonly _id: "core";
  readonly aliveAt: Date;
  /** The core that was running then has ended, and no other has announced itself since. */
  readonly stopped: boolean;
}
