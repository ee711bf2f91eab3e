import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  TestTargetRequest,
  TestTargetResponseSchema,
} from "../../../gen/hermod/target/v1/target_service_pb.ts";
import { noticeBody } from "../../alerts/notify/compose-post.ts";
import { sampleNotice } from "../../alerts/notify/sample.ts";
import { fault } from "../../shared/fault.ts";
import { newId } from "../../shared/ids.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createSlots } from "../slots.ts";
import { toTextParts } from "../text-parts.ts";
import type { TargetNeeds } from "./change-target.ts";

/** Each sample waits for a server up to ten seconds. */
const SAMPLES = { of: "tests of alert targets", ofAccount: 4, inAll: 100, retryAfterSeconds: 2 };

/**
 * Sends a sample at once, and returns the answer of the target. Nothing is stored.
 * @throws Fault account.unknown, alert_target.unknown, service.busy
 */
export function createTestTarget({ store, clock, postSample }: TargetNeeds) {
  const slots = createSlots(SAMPLES);
  return async (request: TestTargetRequest): Promise<MessageInitShape<typeof TestTargetResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const target = await account.targets.find(request.id);
    if (!target) throw fault("alert_target.unknown");
    const at = clock.now();
    const eventId = newId("ntc", at);
    const { accountId, name, kind } = target;
    const sample = sampleNotice(at, accountId, name);
    const view = { accountId, eventId, zone: "UTC", isTest: true, link: undefined, ...sample };
    const giveBack = slots.take(accountId);
    try {
      const posted = await postSample(target, { eventId, body: noticeBody(kind, view) });
      const { isAccepted: accepted, status = 0, detail, detailParts = [], answer = "", durationMs } = posted;
      return { accepted, status, detail, detailParts: toTextParts(detailParts), answer, durationMs, eventId };
    } finally {
      giveBack();
    }
  };
}
