import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  ChangeRetentionRequest,
  ChangeRetentionResponseSchema,
  GetRetentionRequest,
  GetRetentionResponseSchema,
  RetentionSchema,
} from "../../../gen/hermod/account/v1/account_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { RetentionDocument, RetentionTimes } from "../../store/retention-document.ts";
import { retentionRevision } from "../../store/revisions.ts";
import type { Dependencies, Retention } from "../dependencies.ts";
import { createFieldFaults } from "../field-faults.ts";
import { resolveAccount } from "../resolve-account.ts";
import { type KeptTime, timesOf } from "./retention-times.ts";

type RetentionNeeds = Pick<Dependencies, "store" | "retention" | "clock">;

const DAY_MS = 24 * 3_600_000;

/** @throws Fault account.unknown */
export function createGetRetention({ store, retention }: Pick<RetentionNeeds, "store" | "retention">) {
  return async (
    request: GetRetentionRequest,
  ): Promise<MessageInitShape<typeof GetRetentionResponseSchema>> => {
    const account = await resolveAccount(store, request);
    return { retention: toRetention((await account.retentions.find()) ?? {}, retention) };
  };
}

/**
 * Replaces the times of an account. Shorter times also remove existing data, which cannot be undone.
 * @throws Fault account.unknown, request.validation_failed, auth.reauthentication_required, resource.stale
 */
export function createChangeRetention({ store, retention, clock }: RetentionNeeds) {
  return async (
    request: ChangeRetentionRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof ChangeRetentionResponseSchema>> => {
    const now = clock.now();
    const times = readTimes(request, retention);
    const account = await resolveAccount(store, request);
    const changed = await account.retentions.change(times, now, audit, request.ifRevision);
    return { retention: toRetention(changed, retention) };
  };
}

/** @throws Fault request.validation_failed with all errors */
function readTimes(request: ChangeRetentionRequest, retention: Retention): RetentionTimes {
  const faults = createFieldFaults();
  const { content, message, request: requests, sandbox } = timesOf({}, retention);
  const read = (pointer: string, own: number | undefined, { most }: KeptTime) => {
    if (own === undefined || (own >= 1 && own <= most)) return own;
    const sentence = say("retention_range", { max: most });
    faults.add(pointer, "field.invalid", sentence);
    return undefined;
  };
  const times = withoutUndefined({
    contentDays: read("/content_days", request.contentDays, content),
    messageDays: read("/message_days", request.messageDays, message),
    requestDays: read("/request_days", request.requestDays, requests),
    sandboxHours: read("/sandbox_hours", request.sandboxHours, sandbox),
  });
  if (faults.found.length > 0) throw validationFault(faults.found);
  return times;
}

export function toRetention(
  times: RetentionTimes & Partial<Pick<RetentionDocument, "appliedAt">>,
  retention: Retention,
): MessageInitShape<typeof RetentionSchema> {
  const { content, message, request, sandbox } = timesOf(times, retention);
  const shown = ({ kept, most, isOwn: own }: KeptTime) => ({ kept, most, own });
  return {
    contentDays: shown(content),
    messageDays: shown(message),
    requestDays: shown(request),
    sandboxHours: shown(sandbox),
    revision: retentionRevision(times),
    auditDays: Math.floor(retention.auditMs / DAY_MS),
    ...(times.appliedAt && { appliedAt: timestampFromDate(times.appliedAt) }),
  };
}
