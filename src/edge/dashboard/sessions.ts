import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { session } from "../../../contracts/common/signed-in.ts";
import type { sessions as contract } from "../../../contracts/dashboard/sessions.ts";
import { SessionSchema } from "../../../gen/hermod/session/v1/session_service_pb.ts";
import { bodyOf, createCoreFor, type DashboardParts } from "./call.ts";
import { oidcRoutes } from "./oidc-routes.ts";
import { createSignedInAnswer } from "./signed-in-answer.ts";

/** A factor as bodies have it. */
interface FactorBody {
  readonly password?: string | undefined;
  readonly totp_code?: string | undefined;
  readonly recovery_code?: string | undefined;
  readonly passkey_response?: Record<string, unknown> | undefined;
}

/** The same as the core takes it. */
function proofOf({ password = "", totp_code = "", recovery_code = "", passkey_response }: FactorBody) {
  const passkeyResponseJson = passkey_response === undefined ? "" : JSON.stringify(passkey_response);
  return { password, totpCode: totp_code, recoveryCode: recovery_code, passkeyResponseJson };
}

/** Handlers of the routes of `dashboard.sessions`. */
export function sessions(parts: DashboardParts): RouterImplementation<typeof contract> {
  const { cookie } = parts;
  const coreFor = createCoreFor(parts);
  const answer = createSignedInAnswer(parts);

  return {
    ...oidcRoutes(parts),
    signIn: async ({ body, ...call }) => {
      const { token } = await coreFor(call.request).sessions.signIn(body);
      return answer(call, token);
    },
    getSignInOptions: async ({ request }) => {
      const found = await coreFor(request).sessions.getSignInOptions({});
      const { passkeys, oidcName, passwordReset, signUp } = found;
      return {
        status: 200,
        body: { passkeys, oidc_name: oidcName, password_reset: passwordReset, sign_up: signUp },
      };
    },
    showSecondFactor: async ({ body, ...call }) => {
      const { token } = await coreFor(call.request).sessions.showSecondFactor(proofOf(body));
      return answer(call, token);
    },
    beginPasskeySignIn: async ({ request }) => {
      const { optionsJson } = await coreFor(request).sessions.beginPasskeySignIn({});
      return { status: 200, body: { options: JSON.parse(optionsJson) } };
    },
    signInWithPasskey: async ({ body, ...call }) => {
      const responseJson = JSON.stringify(body.response);
      const { token } = await coreFor(call.request).sessions.signInWithPasskey({ responseJson });
      return answer(call, token);
    },
    beginPasskeyProof: async ({ request }) => {
      const { optionsJson } = await coreFor(request).sessions.beginPasskeyProof({});
      return { status: 200, body: { options: JSON.parse(optionsJson) } };
    },
    getSession: (call) => answer(call),
    signOut: async ({ request, reply }) => {
      await coreFor(request).sessions.signOut({});
      cookie.clear(request, reply);
      reply.header("clear-site-data", '"cache", "storage"');
      return { status: 204, body: undefined };
    },
    switchAccount: async ({ body, ...call }) => {
      const { token } = await coreFor(call.request).sessions.switchAccount({ toAccountId: body.account_id });
      return answer(call, token);
    },
    reauthenticate: async ({ body, ...call }) => {
      const { token } = await coreFor(call.request).sessions.reauthenticate(proofOf(body));
      return answer(call, token);
    },
    changePassword: async ({ body, ...call }) => {
      const change = { currentPassword: body.current_password, newPassword: body.new_password };
      const { token } = await coreFor(call.request).sessions.changePassword(change);
      return answer(call, token);
    },
    listSessions: async ({ request }) => {
      const found = await coreFor(request).sessions.listSessions({});
      const data = found.sessions.map((one) => bodyOf<z.output<typeof session>>(SessionSchema, one));
      return { status: 200, body: { data } };
    },
    endSession: async ({ request, params }) => {
      await coreFor(request).sessions.endSession({ sessionId: params.session_id });
      return { status: 204, body: undefined };
    },
    endOtherSessions: async ({ request }) => {
      const { ended } = await coreFor(request).sessions.endOtherSessions({});
      return { status: 200, body: { ended } };
    },
  };
}
