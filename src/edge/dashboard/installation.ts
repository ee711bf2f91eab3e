import type { RouterImplementation } from "@ts-rest/fastify";
import type { installation as contract } from "../../../contracts/dashboard/installation.ts";
import type { Installation } from "../../../gen/hermod/installation/v1/installation_service_pb.ts";
import { createCoreFor, type DashboardParts } from "./call.ts";

/** Handlers of the routes of `dashboard.installation`. */
export function installation(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    getInstallation: async ({ request }) => {
      const { installation: found } = await coreFor(request).installation.getInstallation({});
      return { status: 200, body: bodyOf(found, parts.bodyLimits) };
    },
  };
}

/** Facts that cannot be known are null: a client sees that they are not forgotten. */
function bodyOf(found: Installation | undefined, bodies: DashboardParts["bodyLimits"]) {
  if (!found?.signIn || !found.limits) throw new Error("the core answered without the installation");
  const { version, commit, baseUrl, smtp, systemMail, signIn, limits, providerLimits } = found;
  const endpoints = smtp?.endpoints.map(({ host, port, tls }) => ({ host: host ?? null, port, tls }));
  return {
    version,
    commit: commit ?? null,
    base_url: baseUrl ?? null,
    smtp: endpoints ? { endpoints, self_signed: smtp?.selfSigned ?? null } : null,
    system_mail: systemMail,
    sign_in: {
      passkeys: signIn.passkeys,
      oidc_name: signIn.oidcName ?? null,
      password_reset: signIn.passwordReset,
      sign_up: signIn.signUp,
    },
    limits: {
      key_sends_per_second: limits.keySendsPerSecond ?? null,
      account_sends_per_second: limits.accountSendsPerSecond ?? null,
      message_bytes: Number(limits.messageBytes),
      body_bytes: Number(limits.bodyBytes),
      to: limits.to,
      headers: limits.headers,
      attachments: limits.attachments,
      send_at_days: limits.sendAtDays,
      smtp_recipients: limits.smtpRecipients,
      request_body_bytes: bodies.keyBytes,
      session_body_bytes: bodies.sessionBytes,
      rates: limits.rates.map(({ rate, limit, windowSeconds, used, resetSeconds }) => ({
        rate,
        limit,
        window_seconds: windowSeconds,
        used: used ?? null,
        reset_seconds: resetSeconds ?? null,
      })),
      resources: limits.resources.map(({ resource, limit, used = 0 }) => ({ resource, limit, used })),
    },
    provider_limits: providerLimits.map(({ provider, measure, level, rate, source }) => ({
      provider,
      measure,
      level,
      rate,
      source,
    })),
  };
}
