// Facts come from the settings and ports of the core that answers. A fact that another process alone knows is null.

import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type InstallationSchema,
  InstallationService,
  type LimitsSchema,
  type RateUseSchema,
} from "../../gen/hermod/installation/v1/installation_service_pb.ts";
import { providerLimits } from "../intel/provider-rules/limits.ts";
import { type Area, defineArea } from "../rpc/area.ts";
import { READS } from "../rpc/audits.ts";
import { permitted } from "../rpc/callers.ts";
import { SYSTEM_ACCOUNT } from "../shared/system-account.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import { MAX_RULES } from "../store/alert-rule-store.ts";
import { MAX_POLICIES } from "../store/policy-store.ts";
import type { AccountStore } from "../store/store.ts";
import { MAX_WEBHOOKS } from "../store/webhook-store.ts";
import { MAX_WORKSPACES } from "../store/workspace-store.ts";
import type { Dependencies } from "./dependencies.ts";
import { DOMAINS_MAX } from "./domains/add-domain.ts";
import { resolveAccount } from "./resolve-account.ts";
import { SENDERS_MAX } from "./senders/verify-by-link.ts";
import { createGetSignInOptions } from "./sessions/sign-in-options.ts";
import { systemMailStateOf } from "./system-mail/system-mail-state.ts";

/** Resources with a maximum number per account, each counted with an index that begins with the account. */
const RESOURCES: readonly {
  readonly resource: string;
  readonly limit: number;
  readonly count: (account: AccountStore, most: number) => Promise<number>;
}[] = [
  { resource: "senders", limit: SENDERS_MAX, count: ({ senders }, most) => senders.count(most) },
  { resource: "domains", limit: DOMAINS_MAX, count: ({ domains }, most) => domains.count(most) },
  { resource: "policies", limit: MAX_POLICIES, count: ({ policies }, most) => policies.count(most) },
  { resource: "webhooks", limit: MAX_WEBHOOKS, count: ({ webhooks }, most) => webhooks.count(most) },
  { resource: "alert_rules", limit: MAX_RULES, count: ({ alertRules }, most) => alertRules.count(most) },
  { resource: "workspaces", limit: MAX_WORKSPACES, count: ({ workspaces }, most) => workspaces.count(most) },
];

export type InstallationNeeds = Pick<
  Dependencies,
  | "store"
  | "installation"
  | "limits"
  | "rateLimits"
  | "readRateLimits"
  | "oidc"
  | "webauthn"
  | "systemMail"
  | "isSignUpOpen"
>;

/** Facts about the installation that every member may read. */
export const installation: Area<InstallationNeeds> = defineArea(InstallationService, {
  /** @throws Fault account.unknown */
  getInstallation: [
    permitted("account.read"),
    READS,
    (needs) => {
      const { store, installation: facts } = needs;
      const getSignInOptions = createGetSignInOptions(needs);
      return async (request) => {
        const account = request.accountId === "" ? undefined : await resolveAccount(store, request);
        const [{ oidcName, ...signIn }, policy, limits] = await Promise.all([
          getSignInOptions(),
          store.forAccount(SYSTEM_ACCOUNT).policies.findDefault(),
          limitsOf(needs, account),
        ]);
        const smtp = facts.smtp();
        const found: MessageInitShape<typeof InstallationSchema> = {
          version: facts.version,
          ...withoutUndefined({ commit: facts.commit, baseUrl: facts.baseUrl() }),
          ...(smtp && {
            smtp: {
              endpoints: smtp.endpoints.map(withoutUndefined),
              ...withoutUndefined({ selfSigned: smtp.isSelfSigned }),
            },
          }),
          systemMail: systemMailStateOf(facts.hasSystemMail, policy),
          signIn: { ...signIn, ...(oidcName !== "" && { oidcName }) },
          limits,
          providerLimits: [...providerLimits],
        };
        return { installation: found };
      };
    },
  ],
});

/** @param account undefined: no use is counted */
async function limitsOf(
  needs: InstallationNeeds,
  account: AccountStore | undefined,
): Promise<MessageInitShape<typeof LimitsSchema>> {
  const {
    limits,
    installation: { rates },
  } = needs;
  const resources = RESOURCES.map(async ({ resource, limit, count }) => ({
    resource,
    limit,
    ...(account && { used: await count(account, limit) }),
  }));
  return {
    ...(rates.perKey > 0 && { keySendsPerSecond: rates.perKey }),
    ...(rates.perAccount > 0 && { accountSendsPerSecond: rates.perAccount }),
    messageBytes: BigInt(limits.messageBytes),
    bodyBytes: BigInt(limits.bodyBytes),
    to: limits.to,
    headers: limits.headers,
    attachments: limits.attachments,
    sendAtDays: limits.sendAtDays,
    smtpRecipients: limits.recipients,
    resources: await Promise.all(resources),
    rates: await ratesOf(needs, account),
  };
}

/**
 * Each core counts separately and does not know the counts of others, so the use is shown only if there is one core.
 */
async function ratesOf(
  { store, rateLimits, readRateLimits }: InstallationNeeds,
  account: AccountStore | undefined,
): Promise<MessageInitShape<typeof RateUseSchema>[]> {
  const processes = await store.schema.listProcesses();
  const isOnlyCore = processes.filter(({ roles }) => roles.includes("core")).length <= 1;
  const rates = [
    { rate: "account_sends", limiter: rateLimits },
    { rate: "account_reads", limiter: readRateLimits },
  ].map(async ({ rate, limiter }) => {
    const state = await limiter.readAccount(account?.id ?? "");
    if (!state) return [];
    const { quota: limit, remaining, windowSeconds, resetSeconds } = state;
    const use = account && isOnlyCore && { used: limit - remaining, resetSeconds };
    return [{ rate, limit, windowSeconds, ...use }];
  });
  return (await Promise.all(rates)).flat();
}
