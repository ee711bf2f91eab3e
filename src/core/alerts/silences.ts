import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type SilenceSchema, SilenceService } from "../../../gen/hermod/silence/v1/silence_service_pb.ts";
import { RECENT_ALERTS, selectsNearlyAll } from "../../alerts/breadth.ts";
import { meetsEverything } from "../../alerts/check-matchers.ts";
import type { Silence } from "../../alerts/mutes.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, READS } from "../../rpc/audits.ts";
import { permitted } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { newId } from "../../shared/ids.ts";
import type { Dependencies } from "../dependencies.ts";
import { createFieldFaults } from "../field-faults.ts";
import { pageOfAccount } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import {
  createCompareInhibitionVersions,
  createGetInhibitionVersion,
  createListInhibitionVersions,
  createRestoreInhibition,
} from "./inhibition-versions.ts";
import { createDeleteInhibition, createListInhibitions, createPutInhibition } from "./inhibitions.ts";
import { readMatchers } from "./read-rule.ts";
import { toCondition } from "./rule-to-proto.ts";

const READ = permitted("alerts.read");
const WRITE = permitted("alerts.write");

type Needs = Pick<Dependencies, "store" | "clock">;

/** Suppression of notifications: silences and inhibitions. */
export const silences: Area<Needs> = defineArea(SilenceService, {
  listSilences: [
    READ,
    READS,
    ({ store, clock }) =>
      async (request) => {
        const { entries, nextPageToken } = await pageOfAccount(request, {
          store,
          list: ({ alertRules }, page) => alertRules.listSilences(page),
          cursorOf: ({ _id }) => _id,
        });
        return { silences: entries.map((one) => toSilence(one, clock.now())), nextPageToken };
      },
  ],
  /** @throws Fault account.unknown, request.validation_failed, silence.unconfirmed, silence.too_many */
  createSilence: [
    WRITE,
    changes("silence.create"),
    ({ store, clock }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const faults = createFieldFaults();
        const now = clock.now();
        const matchers = readMatchers(request, "", faults);
        const startsAt = request.startsAt ? timestampDate(request.startsAt) : now;
        const endsAt = request.endsAt && timestampDate(request.endsAt);
        if (!endsAt) faults.add("/ends_at", "field.required", say("silence_end"));
        else if (endsAt <= startsAt || endsAt <= now)
          faults.add("/ends_at", "field.invalid", say("ends_after_begins_not_past"));
        else if (endsAt.getTime() - now.getTime() > YEAR_MS)
          faults.add("/ends_at", "field.invalid", say("ends_within_year"));
        const comment = request.comment.trim();
        if (comment === "" || comment.length > MAX_COMMENT)
          faults.add("/comment", "field.invalid", say("say_why_1_characters", { max: MAX_COMMENT }));
        if (faults.found.length > 0 || !endsAt) throw validationFault(faults.found);
        if (!request.confirm) {
          const recent = await account.incidents.listAlerts({ limit: RECENT_ALERTS });
          const alerts = recent.map(({ alert }) => alert);
          if (meetsEverything(matchers) || selectsNearlyAll(matchers, alerts))
            throw fault("silence.unconfirmed");
        }
        const silence = await account.alertRules.addSilence(
          {
            _id: newId("sil", now),
            matchers,
            startsAt,
            endsAt,
            comment,
            createdBy: audit.actor.name,
            createdAt: now,
            expireAt: new Date(endsAt.getTime() + KEPT_MS),
          },
          audit,
        );
        return { silence: toSilence(silence, now) };
      },
  ],
  /** @throws Fault account.unknown, silence.unknown */
  endSilence: [
    WRITE,
    changes("silence.end", "id"),
    ({ store, clock }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const silence = await account.alertRules.endSilence(request.id, audit);
        if (!silence) throw fault("silence.unknown");
        return { silence: toSilence(silence, clock.now()) };
      },
  ],
  listInhibitions: [READ, READS, createListInhibitions],
  putInhibition: [WRITE, changes("inhibition.put", "name"), createPutInhibition],
  deleteInhibition: [WRITE, changes("inhibition.delete", "name"), createDeleteInhibition],
  listInhibitionVersions: [READ, READS, createListInhibitionVersions],
  getInhibitionVersion: [READ, READS, createGetInhibitionVersion],
  compareInhibitionVersions: [READ, READS, createCompareInhibitionVersions],
  restoreInhibition: [WRITE, changes("inhibition.restore", "name"), createRestoreInhibition],
});

const MAX_COMMENT = 500;
const YEAR_MS = 366 * 86_400_000;
/** Time for which an expired silence stays visible. */
const KEPT_MS = 90 * 86_400_000;

export function toSilence(silence: Silence, now: Date): MessageInitShape<typeof SilenceSchema> {
  const { _id: id, accountId, matchers, startsAt, endsAt, comment, createdBy, createdAt } = silence;
  return {
    id,
    accountId,
    comment,
    createdBy,
    match: matchers.match.map(toCondition),
    any: matchers.any.map(toCondition),
    startsAt: timestampFromDate(startsAt),
    endsAt: timestampFromDate(endsAt),
    createdAt: timestampFromDate(createdAt),
    state: endsAt <= now ? "expired" : startsAt > now ? "pending" : "active",
  };
}
