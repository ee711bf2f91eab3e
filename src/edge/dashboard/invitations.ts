import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type {
  invitations as contract,
  invitation,
  openInvitation,
} from "../../../contracts/dashboard/invitations.ts";
import {
  FindInvitationResponseSchema,
  InvitationSchema,
} from "../../../gen/hermod/invitation/v1/invitation_service_pb.ts";
import { bodyOf, createCoreFor, type DashboardParts, pageBody, pageRequest } from "./call.ts";
import { createSignedInAnswer } from "./signed-in-answer.ts";

type Invitation = z.output<typeof invitation>;

/** Handlers of the routes of `dashboard.invitations`. */
export function invitations(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  const answer = createSignedInAnswer(parts);
  return {
    listInvitations: async ({ request, query }) => {
      const found = await coreFor(request).invitations.listInvitations(pageRequest(query));
      const data = found.invitations.map((one) => bodyOf<Invitation>(InvitationSchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    createInvitation: async ({ request, body }) => {
      const { invitation: created } = await coreFor(request).invitations.createInvitation(body);
      return { status: 201, body: bodyOf<Invitation>(InvitationSchema, created) };
    },
    resendInvitation: async ({ request, params: { invitation_id: invitationId } }) => {
      const { invitation: sent } = await coreFor(request).invitations.resendInvitation({ invitationId });
      return { status: 200, body: bodyOf<Invitation>(InvitationSchema, sent) };
    },
    revokeInvitation: async ({ request, params: { invitation_id: invitationId } }) => {
      await coreFor(request).invitations.revokeInvitation({ invitationId });
      return { status: 204, body: undefined };
    },
    findInvitation: async ({ request, body }) => {
      const found = await coreFor(request).invitations.findInvitation(body);
      return {
        status: 200,
        body: bodyOf<z.output<typeof openInvitation>>(FindInvitationResponseSchema, found),
      };
    },
    acceptInvitation: async ({ body, ...call }) => {
      const { sessionToken } = await coreFor(call.request).invitations.acceptInvitation(body);
      return answer(call, sessionToken);
    },
    joinAccount: async ({ request, body }) => {
      const { accountId } = await coreFor(request).invitations.joinAccount(body);
      return { status: 200, body: { account_id: accountId } };
    },
  };
}
