import { isDeepStrictEqual } from "node:util";
import { HeartbeatService } from "../../../gen/hermod/heartbeat/v1/heartbeat_service_pb.ts";
import {
  type HeartbeatStep,
  heartbeatState,
  heartbeatStates,
  pauseHeartbeat,
  progressOf,
  resumeHeartbeat,
  retimeHeartbeat,
} from "../../alerts/heartbeat.ts";
import { type Area, prepareArea } from "../../rpc/area.ts";
import { changes, READS, unaudited } from "../../rpc/audits.ts";
import { FRONT_ENDS, permitted } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { newId } from "../../shared/ids.ts";
import { hashSecret, newSecret, secretPrefix } from "../../shared/secrets.ts";
import type {
  HeartbeatDocument,
  HeartbeatSettings,
  HeartbeatToken,
} from "../../store/heartbeat-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import { pageOf, pageSizeOf, pageStartOf, searchOfAccount, versionIn } from "../page.ts";
import { readChoice, readSearch } from "../read-list-filter.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createDeleteHeartbeat } from "./delete-heartbeat.ts";
import { afterStep } from "./heartbeat-alert.ts";
import { toHeartbeat, toHeartbeatPing } from "./heartbeat-to-proto.ts";
import { createPingHeartbeat } from "./ping-heartbeat.ts";
import { readHeartbeat } from "./read-heartbeat.ts";
import { createSubmitHeartbeatAlerts } from "./submit-heartbeat-alerts.ts";

const READ = permitted("alerts.read");
const WRITE = permitted("alerts.write");

type Needs = Pick<
  Dependencies,
  | "store"
  | "clock"
  | "log"
  | "alertEngine"
  | "idempotency"
  | "retention"
  | "authenticator"
  | "rateLimits"
  | "installation"
>;

/** Heartbeats: signals that jobs send regularly. `check-heartbeats.ts` raises alerts about missing ones. */
export const heartbeats: Area<Needs> = prepareArea(HeartbeatService, partsOf, {
  /** @throws Fault account.unknown, request.validation_failed */
  listHeartbeats: [
    READ,
    READS,
    ({ store, clock }) =>
      async (request) => {
        const state = readChoice("state", request.state, heartbeatStates);
        const hasName = readSearch(request.search);
        const { tag } = request;
        const now = clock.now();
        const matches = (one: HeartbeatDocument) =>
          (state === undefined || heartbeatState(one, now) === state) &&
          (hasName === undefined || hasName(one.name)) &&
          (tag === "" || one.tags.includes(tag));
        const isFiltered = state !== undefined || hasName !== undefined || tag !== "";
        const { entries, nextPageToken } = await searchOfAccount(request, {
          store,
          list: ({ heartbeats: ofAccount }, page) => ofAccount.list(page),
          cursorOf: ({ _id }) => _id,
          ...(isFiltered && { matches }),
        });
        return { heartbeats: entries.map((one) => toHeartbeat(one, now)), nextPageToken };
      },
  ],
  /** @throws Fault account.unknown, heartbeat.unknown */
  getHeartbeat: [
    READ,
    READS,
    ({ store, clock }) =>
      async (request) => {
        const account = await resolveAccount(store, request);
        return answer(await account.heartbeats.find(request.id), clock.now());
      },
  ],
  /** @throws Fault account.unknown, request.validation_failed, heartbeat.too_many */
  createHeartbeat: [
    WRITE,
    changes("heartbeat.create"),
    ({ store, clock, urlOf }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const now = clock.now();
        const settings = readHeartbeat(request.settings, now);
        const { token, stored } = newToken(now);
        const added = await account.heartbeats.add(
          {
            _id: newId("hbt", now),
            ...settings,
            ...stored,
            paused: false,
            createdAt: now,
            updatedAt: now,
            changes: 0,
            pending: [],
            pings: 0,
            revision: 0,
          },
          audit,
        );
        return { ...answer(added, now), token, pingUrl: urlOf(token) };
      },
  ],
  /** @throws Fault account.unknown, request.validation_failed, heartbeat.unknown, resource.stale */
  updateHeartbeat: [
    WRITE,
    changes("heartbeat.update", "id"),
    ({ store, clock }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const now = clock.now();
        const settings = readHeartbeat(request.settings, now);
        const { id, ifRevision } = request;
        const work = (before: HeartbeatDocument) => withSettings(before, settings, now);
        return answer(await account.heartbeats.change(id, audit, work, ifRevision), now);
      },
  ],
  /** @throws Fault account.unknown, heartbeat.unknown */
  pauseHeartbeat: [
    WRITE,
    changes("heartbeat.pause", "id"),
    ({ store, clock, submitNow }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const now = clock.now();
        const paused = await account.heartbeats.change(request.id, audit, (before) =>
          before.paused ? before : edited(before, pauseHeartbeat(before, now), now),
        );
        if (paused && paused.pending.length > 0) await submitNow(paused);
        return answer(paused, now);
      },
  ],
  /** @throws Fault account.unknown, heartbeat.unknown */
  resumeHeartbeat: [
    WRITE,
    changes("heartbeat.resume", "id"),
    ({ store, clock }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const now = clock.now();
        const resumed = await account.heartbeats.change(request.id, audit, (before) =>
          before.paused ? edited(before, resumeHeartbeat(before, now), now) : before,
        );
        return answer(resumed, now);
      },
  ],
  /** @throws Fault account.unknown, heartbeat.unknown */
  rotateHeartbeatToken: [
    WRITE,
    changes("heartbeat.rotate_token", "id"),
    ({ store, clock, urlOf }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const now = clock.now();
        const { token, stored } = newToken(now);
        const rotated = await account.heartbeats.change(request.id, audit, (before) => ({
          ...before,
          ...stored,
        }));
        return { ...answer(rotated, now), token, pingUrl: urlOf(token) };
      },
  ],
  deleteHeartbeat: [WRITE, changes("heartbeat.delete", "id"), createDeleteHeartbeat],
  /** @throws Fault account.unknown, heartbeat.unknown, request.validation_failed */
  listHeartbeatPings: [
    READ,
    READS,
    ({ store }) =>
      async (request) => {
        const account = await resolveAccount(store, request);
        const limit = pageSizeOf(request.pageSize);
        const before = pageStartOf(request.pageToken, versionIn);
        const heartbeat = await account.heartbeats.find(request.id);
        if (!heartbeat) throw fault("heartbeat.unknown");
        const found = await account.heartbeats.listPings(request.id, { before, limit: limit + 1 });
        const { entries, nextPageToken } = pageOf(found, limit, ({ number }) => String(number));
        return { pings: entries.map(toHeartbeatPing), nextPageToken };
      },
  ],
  pingHeartbeat: [
    FRONT_ENDS,
    unaudited("the pings of a heartbeat are recorded with it"),
    (parts) => createPingHeartbeat(parts),
  ],
});

function partsOf(needs: Needs) {
  const submit = createSubmitHeartbeatAlerts(needs);
  return {
    ...needs,
    submit,
    /** The background check repeats a failed submission. */
    async submitNow(heartbeat: HeartbeatDocument): Promise<void> {
      try {
        await submit(heartbeat);
      } catch (error) {
        const { _id } = heartbeat;
        needs.log.warn({ err: error, heartbeat: _id }, "an alert of a heartbeat is submitted later");
      }
    },
    /** Empty: the base URL is not known. */
    urlOf(token: string): string {
      const baseUrl = needs.installation.baseUrl();
      return baseUrl === undefined ? "" : `${baseUrl}/inbound/heartbeats/${token}`;
    },
  };
}

function answer(heartbeat: HeartbeatDocument | null, now: Date) {
  if (!heartbeat) throw fault("heartbeat.unknown");
  return { heartbeat: toHeartbeat(heartbeat, now) };
}

function newToken(now: Date): { readonly token: string; readonly stored: HeartbeatToken } {
  const token = newSecret("ping");
  return { token, stored: { tokenHash: hashSecret(token), tokenPrefix: secretPrefix(token), tokenAt: now } };
}

function edited(before: HeartbeatDocument, step: HeartbeatStep, now: Date): HeartbeatDocument {
  return { ...afterStep(before, step, now), updatedAt: now };
}

/** Other times begin a new period. */
function withSettings(
  { entityType: _, entityId: __, ...before }: HeartbeatDocument,
  settings: HeartbeatSettings,
  now: Date,
): HeartbeatDocument {
  const { schedule, graceMs } = settings;
  const isRetimed = !isDeepStrictEqual([before.schedule, before.graceMs], [schedule, graceMs]);
  const step = isRetimed ? retimeHeartbeat(before, settings, now) : { progress: progressOf(before) };
  return edited({ ...before, ...settings }, step, now);
}
