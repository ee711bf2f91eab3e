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
      const { role = "", search = "", without_second_factor } = query;
      const filter = { role, search, withoutSecondFactor: without_second_factor === "true" };
      const found = await coreFor(request).members.listMembers({ ...pageRequest(query), ...filter });
      const data = found.members.map((one) => bodyOf<Member>(MemberSchema, one));
      return { status: 200, body: { ...pageBody(data, found.nextPageToken), owners: found.owners } };
    },
    listRoles: async ({ request }) => {
      const { roles, permissions } = await coreFor(request).members.listRoles({});
      return {
        status: 200,
        body: {
          roles: roles.map((role) => ({
            name: role.name,
            description: role.description,
            permissions: role.permissions,
          })),
          permissions: permissions.map(({ name, description }) => ({ name, description })),
        },
      };
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
    signOutMember: async ({ request, params }) => {
      const { ended } = await coreFor(request).members.signOutMember({ user: params.user_id });
      return { status: 200, body: { ended } };
    },
  };
}
