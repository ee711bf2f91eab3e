import { TargetService } from "../../../gen/hermod/target/v1/target_service_pb.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, READS, unaudited } from "../../rpc/audits.ts";
import { permitted } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { pageOfAccount } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import {
  createCreateTarget,
  createDeleteTarget,
  createReplaceTarget,
  createRotateTargetSecret,
  type TargetNeeds,
} from "./change-target.ts";
import { toTarget, toTargetDelivery } from "./target-to-proto.ts";
import { createTestTarget } from "./test-target.ts";

const READ = permitted("alerts.read");
const WRITE = permitted("alerts.write");

/** Receivers of alert notices in addition to mail. */
export const targets: Area<TargetNeeds> = defineArea(TargetService, {
  /** @throws Fault account.unknown, request.validation_failed */
  listTargets: [
    READ,
    READS,
    ({ store }) =>
      async (request) => {
        const { entries, nextPageToken } = await pageOfAccount(request, {
          store,
          list: async (account, page) => {
            const found = await account.targets.list(page);
            const queues = await account.targetDeliveries.queuesOf(found.map(({ _id }) => _id));
            return found.map((target) => ({ target, queue: queues.get(target._id) }));
          },
          cursorOf: ({ target }) => target._id,
        });
        return { targets: entries.map(({ target, queue }) => toTarget(target, queue)), nextPageToken };
      },
  ],
  /** @throws Fault account.unknown, alert_target.unknown */
  getTarget: [
    READ,
    READS,
    ({ store }) =>
      async (request) => {
        const account = await resolveAccount(store, request);
        const target = await account.targets.find(request.id);
        if (!target) throw fault("alert_target.unknown");
        const queues = await account.targetDeliveries.queuesOf([target._id]);
        return { target: toTarget(target, queues.get(target._id)) };
      },
  ],
  createTarget: [WRITE, changes("alert_target.create"), createCreateTarget],
  replaceTarget: [WRITE, changes("alert_target.replace", "id"), createReplaceTarget],
  deleteTarget: [WRITE, changes("alert_target.delete", "id"), createDeleteTarget],
  rotateTargetSecret: [WRITE, changes("alert_target.rotate", "id"), createRotateTargetSecret],
  testTarget: [WRITE, unaudited("it changes nothing"), createTestTarget],
  /** @throws Fault account.unknown, request.validation_failed, alert_target.unknown */
  listTargetDeliveries: [
    READ,
    READS,
    ({ store }) =>
      async (request) => {
        const account = await resolveAccount(store, request);
        if (!(await account.targets.find(request.id))) throw fault("alert_target.unknown");
        const { entries, nextPageToken } = await pageOfAccount(request, {
          store,
          list: ({ targetDeliveries }, page) => targetDeliveries.list(request.id, page),
          cursorOf: ({ _id }) => _id,
        });
        return { deliveries: entries.map(toTargetDelivery), nextPageToken };
      },
  ],
});
