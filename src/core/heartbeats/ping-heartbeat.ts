import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  PingHeartbeatRequest,
  PingHeartbeatResponseSchema,
} from "../../../gen/hermod/heartbeat/v1/heartbeat_service_pb.ts";
import { heartbeatState, type PingKind, pingKinds, takePing } from "../../alerts/heartbeat.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { createLru } from "../../shared/lru.ts";
import { hashSecret, secretKind } from "../../shared/secrets.ts";
import type { HeartbeatDocument } from "../../store/heartbeat-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import { afterStep } from "./heartbeat-alert.ts";

type Needs = Pick<Dependencies, "store" | "authenticator" | "rateLimits" | "clock"> & {
  /** Submits the pending alerts. Never rejects: the background check repeats a failed submission. */
  readonly submitNow: (heartbeat: HeartbeatDocument) => Promise<void>;
};

const PINGS_PER_MINUTE = 60;
const MINUTE_MS = 60_000;
/** Heartbeats with a counted minute. A forgotten one begins a new minute. */
const MAX_COUNTED = 100_000;
/** Pings of one heartbeat at the same time change it one after the other. */
const TRIES = 50;
/** Alerts that wait while alert rules cannot receive them. */
const MAX_PENDING = 100;
const MAX_EXIT_STATUS = 255;
const KEPT_MS = 30 * 86_400_000;

/** Finds the heartbeat of a request again each time. */
interface Pinged {
  readonly via: "token" | "key";
  find(): Promise<HeartbeatDocument | null>;
}

/**
 * Records a ping:
 *
 * 1. finds the heartbeat by its token, or by a key and its id: one query, and none for a mistyped token
 * 2. counts the ping
 * 3. writes the progress, unless it has changed since: then from step 1 on
 * 4. records the ping, and submits the alert that it raises or resolves
 *
 * @throws Fault heartbeat.unknown, request.validation_failed, rate.limited, service.busy, store.unavailable, auth.*
 */
export function createPingHeartbeat(needs: Needs) {
  const { store, clock, submitNow } = needs;
  const countPing = createPingLimit(clock);
  const openPinged = createOpenPinged(needs);

  return async (
    request: PingHeartbeatRequest,
    { peerAddress }: Pick<HandlerContext, "peerAddress">,
  ): Promise<MessageInitShape<typeof PingHeartbeatResponseSchema>> => {
    const { exitStatus } = request;
    const kind = readKind(request);
    const clientAddress = request.clientAddress || peerAddress;
    const pinged = await openPinged(request, clientAddress);
    for (let tries = 0; tries < TRIES; tries++) {
      const heartbeat = await pinged.find();
      if (!heartbeat) throw fault("heartbeat.unknown");
      if (tries === 0) countPing(heartbeat._id);
      const at = clock.now();
      if (heartbeat.pending.length >= MAX_PENDING) throw fault("service.busy", { retryAfterSeconds: 10 });
      const step = takePing(heartbeat, kind, at);
      const number = heartbeat.pings + 1;
      const after = { ...afterStep(heartbeat, step, at, exitStatus), pings: number };
      const account = store.forAccount(heartbeat.accountId);
      if (!(await account.heartbeats.advance(heartbeat, after))) continue;
      const { durationMs } = step.progress;
      await account.heartbeats.notePing({
        heartbeatId: heartbeat._id,
        number,
        at,
        kind,
        via: pinged.via,
        clientAddress,
        ...(exitStatus !== undefined && { exitStatus }),
        ...(kind !== "start" && durationMs !== undefined && { durationMs }),
        expireAt: new Date(at.getTime() + KEPT_MS),
      });
      if (after.pending.length > 0) await submitNow({ ...after, revision: heartbeat.revision + 1 });
      return { state: heartbeatState(after, at) };
    }
    throw fault("service.busy", { retryAfterSeconds: 1 });
  };
}

function createOpenPinged({ store, authenticator, rateLimits }: Needs) {
  return async (request: PingHeartbeatRequest, clientAddress: string): Promise<Pinged> => {
    const { token, apiKey, id } = request;
    if (token !== "") {
      if (secretKind(token) !== "ping") throw fault("heartbeat.unknown");
      const hash = hashSecret(token);
      return { via: "token", find: () => store.acrossAccounts.heartbeats.findByToken(hash) };
    }
    const key = await authenticator.authenticate(apiKey, {
      kind: "account",
      scope: "alerts.ingest",
      clientAddress,
      // A service that calls the core directly sends no client address.
      surface: request.clientAddress === "" ? "grpc" : "http",
      isOperation: true,
    });
    await rateLimits.consume(key._id, key.accountId);
    return { via: "key", find: () => store.forAccount(key.accountId).heartbeats.find(id) };
  };
}

/** @throws Fault request.validation_failed */
function readKind({ kind, exitStatus }: PingHeartbeatRequest): PingKind {
  if (exitStatus !== undefined && exitStatus > MAX_EXIT_STATUS) {
    const message = say("number_range", { min: 0, max: MAX_EXIT_STATUS });
    throw validationFault([{ pointer: "/exit_status", code: "field.invalid", message }]);
  }
  const known = pingKinds.find((one) => one === kind);
  if (known) return known;
  if (kind === "") return exitStatus === undefined || exitStatus === 0 ? "success" : "fail";
  const message = say("one_of", { allowed: pingKinds });
  throw validationFault([{ pointer: "/kind", code: "field.invalid", message }]);
}

/** Limit of this core process: each core counts for itself. @throws Fault rate.limited */
function createPingLimit(clock: Pick<Clock, "now">): (id: string) => void {
  const minutes = createLru<{ readonly beganMs: number; count: number }>(MAX_COUNTED);
  return (id) => {
    const nowMs = clock.now().getTime();
    const known = minutes.get(id);
    const isOver = !known || nowMs < known.beganMs || nowMs >= known.beganMs + MINUTE_MS;
    const minute = isOver ? { beganMs: nowMs, count: 0 } : known;
    minutes.set(id, minute);
    if (minute.count < PINGS_PER_MINUTE) {
      minute.count++;
      return;
    }
    const seconds = Math.ceil((minute.beganMs + MINUTE_MS - nowMs) / 1_000);
    throw fault("rate.limited", {
      public: say("heartbeat_pings", { max: PINGS_PER_MINUTE, seconds }),
      retryAfterSeconds: seconds,
    });
  };
}
