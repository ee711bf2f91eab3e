import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  HeartbeatPingSchema,
  HeartbeatSchema,
} from "../../../gen/hermod/heartbeat/v1/heartbeat_service_pb.ts";
import { deadlineOf, heartbeatState } from "../../alerts/heartbeat.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { HeartbeatDocument, HeartbeatPingDocument } from "../../store/heartbeat-documents.ts";
import { heartbeatRevision } from "../../store/revisions.ts";

const MAX_MS = 2 ** 32 - 1;

/** A heartbeat without the hash of its token. */
type ShownHeartbeat = Omit<HeartbeatDocument, "tokenHash">;

export function toHeartbeat(heartbeat: ShownHeartbeat, now: Date): MessageInitShape<typeof HeartbeatSchema> {
  const { _id: id, accountId, name, schedule, graceMs, severity, eventType, source, tags } = heartbeat;
  const { entityType, entityId, lastPingKind, durationMs, down, tokenPrefix } = heartbeat;
  const at = (time: Date | undefined) => time && timestampFromDate(time);
  return {
    id,
    accountId,
    name,
    ...(schedule.kind === "period"
      ? { periodSeconds: schedule.periodMs / 1_000 }
      : { cron: schedule.expression, timezone: schedule.timezone }),
    graceSeconds: graceMs / 1_000,
    severity,
    eventType,
    source,
    tags: [...tags],
    state: heartbeatState(heartbeat, now),
    tokenPrefix,
    tokenCreatedAt: timestampFromDate(heartbeat.tokenAt),
    createdAt: timestampFromDate(heartbeat.createdAt),
    updatedAt: timestampFromDate(heartbeat.updatedAt),
    revision: heartbeatRevision(heartbeat),
    ...withoutUndefined({
      entityType,
      entityId,
      lastPingKind,
      durationMs: durationMs === undefined ? undefined : Math.min(durationMs, MAX_MS),
      nextDueAt: at(heartbeat.expectedAt),
      alertAt: at(deadlineOf(heartbeat)),
      lastPingAt: at(heartbeat.lastPingAt),
      lastSuccessAt: at(heartbeat.lastSuccessAt),
      startedAt: at(heartbeat.startedAt),
      downSince: at(down?.since),
      downReason: down?.reason,
      excusedAt: at(heartbeat.excusedAt),
    }),
  };
}

export function toHeartbeatPing(ping: HeartbeatPingDocument): MessageInitShape<typeof HeartbeatPingSchema> {
  const { number, at, kind, via, clientAddress, exitStatus, durationMs } = ping;
  return {
    number,
    at: timestampFromDate(at),
    kind,
    via,
    clientAddress,
    ...withoutUndefined({
      exitStatus,
      durationMs: durationMs === undefined ? undefined : Math.min(durationMs, MAX_MS),
    }),
  };
}
