import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { check, checks as contract } from "../../../contracts/dashboard/checks.ts";
import { type Check, CheckSchema } from "../../../gen/hermod/check/v1/check_service_pb.ts";
import { nullBodyOf } from "../intel-body.ts";
import { createCoreFor, type DashboardParts } from "./call.ts";

/** Handlers of the routes of `dashboard.checks`. */
export function checks(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listChecks: async ({ request }) => {
      const { scoreModel, checks: all } = await coreFor(request).checks.listChecks({});
      return { status: 200, body: { score_model: scoreModel, data: all.map(checkBody) } };
    },
  };
}

function checkBody(found: Check): z.output<typeof check> {
  return nullBodyOf(CheckSchema, found);
}
