import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { members as contract, member } from "../../../contracts/dashboard/members.ts";
import { MemberSchema } from "../../../gen/hermod/member/v1/member_service_pb.ts";
import { bodyOf, createCoreFor, type DashboardParts, pageBody, pageRequest } from "./call.ts";

type Member = z.output<typeof member>;

/** Handlers of the routes of `dashboard.members`. */
export function members(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listMembers: async ({ request, query }) => {
      const found = await coreFor(request).members.listMembers(pageRequest(query));
      const data = found.members.map((one) => bodyOf<Member>(MemberSchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    changeRole: async ({ request, params, body }) => {
      const { role, if_revision: ifRevision = "" } = body;
      const asked = { user: params.user_id, role, ifRevision };
      const changed = await coreFor(request).members.changeRole(asked);
      return { status: 200, body: bodyOf<Member>(MemberSchema, changed.member) };
    },
    removeMember: async ({ request, params, query }) => {
      const asked = { user: params.user_id, ifRevision: query.if_revision ?? "" };
      await coreFor(request).members.removeMember(asked);
      return { status: 204, body: undefined };
    },
  };
}
