import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { factors as contract, factorList, passkey } from "../../../contracts/dashboard/factors.ts";
import { ListFactorsResponseSchema, PasskeySchema } from "../../../gen/hermod/factor/v1/factor_service_pb.ts";
import { bodyOf, createCoreFor, type DashboardParts } from "./call.ts";
import { createSignedInAnswer } from "./signed-in-answer.ts";

type Passkey = z.output<typeof passkey>;

/** Handlers of the routes of `dashboard.factors`. */
export function factors(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  const renewCookie = createSignedInAnswer(parts);
  return {
    listFactors: async ({ request }) => {
      const found = await coreFor(request).factors.listFactors({});
      return { status: 200, body: bodyOf<z.output<typeof factorList>>(ListFactorsResponseSchema, found) };
    },
    beginTotp: async ({ request }) => {
      const { secret, url } = await coreFor(request).factors.beginTotp({});
      return { status: 200, body: { secret, url } };
    },
    confirmTotp: async ({ body, ...call }) => {
      const { sessionToken, recoveryCodes } = await coreFor(call.request).factors.confirmTotp(body);
      await renewCookie(call, sessionToken);
      return { status: 200, body: { recovery_codes: recoveryCodes } };
    },
    removeTotp: async (call) => {
      const { sessionToken } = await coreFor(call.request).factors.removeTotp({});
      await renewCookie(call, sessionToken);
      return { status: 204, body: undefined };
    },
    renewRecoveryCodes: async ({ request }) => {
      const { recoveryCodes } = await coreFor(request).factors.renewRecoveryCodes({});
      return { status: 200, body: { recovery_codes: recoveryCodes } };
    },
    beginPasskey: async ({ request }) => {
      const { optionsJson } = await coreFor(request).factors.beginPasskey({});
      return { status: 200, body: { options: JSON.parse(optionsJson) } };
    },
    confirmPasskey: async ({ body: { name, response }, ...call }) => {
      const confirmation = { name, responseJson: JSON.stringify(response) };
      const confirmed = await coreFor(call.request).factors.confirmPasskey(confirmation);
      await renewCookie(call, confirmed.sessionToken);
      const { passkey: added, recoveryCodes } = confirmed;
      return {
        status: 201,
        body: { passkey: bodyOf<Passkey>(PasskeySchema, added), recovery_codes: recoveryCodes },
      };
    },
    renamePasskey: async ({ request, params: { passkey_id: passkeyId }, body }) => {
      const { name, if_revision: ifRevision = "" } = body;
      const asked = { passkeyId, name, ifRevision };
      const { passkey: renamed } = await coreFor(request).factors.renamePasskey(asked);
      return { status: 200, body: bodyOf<Passkey>(PasskeySchema, renamed) };
    },
    removePasskey: async ({ params: { passkey_id: passkeyId }, query, ...call }) => {
      const asked = { passkeyId, ifRevision: query.if_revision ?? "" };
      const { sessionToken } = await coreFor(call.request).factors.removePasskey(asked);
      await renewCookie(call, sessionToken);
      return { status: 204, body: undefined };
    },
    unlinkIdentity: async ({ request, params: { identity_id: identityId } }) => {
      await coreFor(request).factors.unlinkIdentity({ identityId });
      return { status: 204, body: undefined };
    },
  };
}
