import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  DeleteHeartbeatRequest,
  DeleteHeartbeatResponseSchema,
} from "../../../gen/hermod/heartbeat/v1/heartbeat_service_pb.ts";
import { endHeartbeat } from "../../alerts/heartbeat.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { Fault, fault } from "../../shared/fault.ts";
import { checkRevision } from "../../store/content-revision.ts";
import type { HeartbeatDocument } from "../../store/heartbeat-documents.ts";
import { heartbeatRevision } from "../../store/revisions.ts";
import type { Dependencies } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";
import { afterStep } from "./heartbeat-alert.ts";
import type { SubmitHeartbeatAlerts } from "./submit-heartbeat-alerts.ts";

type Needs = Pick<Dependencies, "store" | "clock"> & { readonly submit: SubmitHeartbeatAlerts };

/** A ping between two tries changes the heartbeat. */
const TRIES = 50;

/**
 * Removes a heartbeat. Its active alert is resolved before: nothing could resolve it afterwards. If the process ends in
 * between, the heartbeat stays and waits for its next ping.
 * @throws Fault account.unknown, heartbeat.unknown, resource.stale, service.busy, store.unavailable
 */
export function createDeleteHeartbeat({ store, clock, submit }: Needs) {
  async function submitted(heartbeat: HeartbeatDocument): Promise<HeartbeatDocument | undefined> {
    try {
      return await submit(heartbeat);
    } catch (error) {
      // The background check is submitting it.
      if (!(error instanceof Fault && error.code === "idempotency.in_flight")) throw error;
      throw fault("service.busy", { retryAfterSeconds: 1, cause: error });
    }
  }

  return async (
    request: DeleteHeartbeatRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof DeleteHeartbeatResponseSchema>> => {
    const { heartbeats } = await resolveAccount(store, request);
    const { id, ifRevision } = request;
    for (let tries = 0; tries < TRIES; tries++) {
      const found = await heartbeats.find(id);
      if (!found) throw fault("heartbeat.unknown");
      checkRevision(ifRevision, heartbeatRevision(found));
      if (found.down) {
        const now = clock.now();
        await heartbeats.advance(found, afterStep(found, endHeartbeat(found, now), now));
        continue;
      }
      const rest = found.pending.length > 0 ? await submitted(found) : found;
      if (rest && (await heartbeats.remove(rest, audit, ifRevision))) return {};
    }
    throw fault("service.busy", { retryAfterSeconds: 1 });
  };
}
