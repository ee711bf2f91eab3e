import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { createdTarget, target, targetDelivery } from "../../../contracts/common/target-schemas.ts";
import type { targets as contract, targetReplacement } from "../../../contracts/dashboard/targets.ts";
import {
  TargetDeliverySchema,
  type Target as TargetMessage,
  TargetSchema,
  TestTargetResponseSchema,
} from "../../../gen/hermod/target/v1/target_service_pb.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import {
  bodyOf,
  createCoreFor,
  type DashboardParts,
  isForced,
  pageBody,
  pageRequest,
  removedAnswer,
} from "./call.ts";

type Target = z.output<typeof target>;
type CreatedTarget = z.output<typeof createdTarget>;
type TargetDelivery = z.output<typeof targetDelivery>;
type Settings = Omit<z.output<typeof targetReplacement>, "if_revision">;

/** Handlers of the routes of `dashboard.targets`. */
export function targets(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listTargets: async ({ request, query }) => {
      const found = await coreFor(request).targets.listTargets(pageRequest(query));
      return { status: 200, body: pageBody(found.targets.map(targetBody), found.nextPageToken) };
    },
    getTarget: async ({ request, params }) => {
      const found = await coreFor(request).targets.getTarget({ id: params.target_id });
      return { status: 200, body: targetBody(found.target) };
    },
    createTarget: async ({ request, body: { kind, ...settings } }) => {
      const created = await coreFor(request).targets.createTarget({ kind, settings: settingsOf(settings) });
      return { status: 201, body: withSecret(created) };
    },
    replaceTarget: async ({ request, params, body: { if_revision: ifRevision = "", ...settings } }) => {
      const asked = { id: params.target_id, ifRevision, settings: settingsOf(settings) };
      const changed = await coreFor(request).targets.replaceTarget(asked);
      return { status: 200, body: targetBody(changed.target) };
    },
    rotateTargetSecret: async ({ request, params, body }) => {
      const overlap = withoutUndefined({ overlapSeconds: body.overlap_seconds });
      const rotated = await coreFor(request).targets.rotateTargetSecret({ id: params.target_id, ...overlap });
      return { status: 201, body: withSecret(rotated) };
    },
    testTarget: async ({ request, params }) => {
      const tested = await coreFor(request).targets.testTarget({ id: params.target_id });
      return { status: 200, body: bodyOf(TestTargetResponseSchema, tested) };
    },
    listTargetDeliveries: async ({ request, params, query }) => {
      const asked = { id: params.target_id, ...pageRequest(query) };
      const found = await coreFor(request).targets.listTargetDeliveries(asked);
      const data = found.deliveries.map((one) => bodyOf<TargetDelivery>(TargetDeliverySchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    deleteTarget: async ({ request, params, query }) => {
      const removed = await coreFor(request).targets.deleteTarget({
        id: params.target_id,
        force: isForced(query),
        ifRevision: query.if_revision ?? "",
      });
      return removedAnswer(removed);
    },
  };
}

function settingsOf({ name, url, description, headers = [], rate_per_second: ratePerSecond }: Settings) {
  return {
    name,
    ...withoutUndefined({ url, description, ratePerSecond }),
    headers: headers.map(({ name: header, value = "" }) => ({ name: header, value })),
  };
}

const targetBody = (message: TargetMessage | undefined) => bodyOf<Target>(TargetSchema, message);

function withSecret({
  target: message,
  secret,
}: {
  readonly target?: TargetMessage | undefined;
  readonly secret: string;
}): CreatedTarget {
  return { ...targetBody(message), secret };
}
