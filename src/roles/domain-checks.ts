import { createLookup } from "../dns/lookup.ts";
import { resolverAddresses } from "../dns/resolver.ts";
import { createBeginSurvey } from "../dns/survey.ts";
import { type CheckDomain, createCheckDomain } from "../domains/check-domain.ts";
import { createProbeTrackingHost } from "../domains/probe-tracking-host.ts";
import { createReadDomain } from "../domains/read-domain.ts";
import type { SendingSetup } from "../domains/wanted-records.ts";
import type { TrackingTokens } from "../message/tracking/token.ts";
import { createRefuseDestination } from "../shared/destination-address.ts";
import type { Store } from "../store/store.ts";
import type { Process } from "./process.ts";
import { trackingHostIn } from "./tracking.ts";

/** A user waits for a check: results that take longer are unknown. */
const POLL_MS = 20_000;
/** A zone with four name servers and all its records needs about sixty. */
const LOOKUPS_MAX = 150;
const ANSWER_MS = 4_000;
const RETRY_MS = 1_000;
const QUESTIONS_AT_ONCE = 200;
const DNS_PORT = 53;

/** Checks of sending domains by this installation. */
export function composeDomainChecks(
  { config, clock }: Pick<Process, "config" | "clock">,
  store: Pick<Store, "forAccount">,
  { onChange, tokens }: { readonly onChange: () => void; readonly tokens: TrackingTokens },
): { readonly sendingSetup: SendingSetup; readonly checkDomain: CheckDomain } {
  const { allowPrivate, dnsServers, ipv6 } = config.delivery;
  const beginSurvey = createBeginSurvey({
    // Nothing is cached between checks, because a record may just have changed.
    lookup: createLookup({
      servers: resolverAddresses(dnsServers),
      timeoutMs: ANSWER_MS,
      retryMs: RETRY_MS,
      tries: 3,
      maxConcurrent: QUESTIONS_AT_ONCE,
    }),
    // Zones of this machine's own name server are accepted.
    refuse: createRefuseDestination({ allowPrivate, ownAddresses: [] }),
    ipv6: ipv6 !== "never",
    port: DNS_PORT,
    retryMs: RETRY_MS,
    answerMs: ANSWER_MS,
    limits: { lookups: LOOKUPS_MAX, timeoutMs: POLL_MS },
    maxConcurrent: QUESTIONS_AT_ONCE,
  });
  const sendingSetup = {
    spfTerms: config.domains.spfTerms,
    bounceDomain: config.bounces.domain,
    trackingHost: trackingHostIn(config),
  };
  const refuse = createRefuseDestination({ allowPrivate, ownAddresses: [] });
  const probe = createProbeTrackingHost({ tokens, refuse, ipv6: ipv6 !== "never" });
  const read = createReadDomain(beginSurvey, sendingSetup, probe);
  const retentionMs = config.retention.messageMs;
  return {
    sendingSetup,
    checkDomain: createCheckDomain({ store, read, setup: sendingSetup, clock, retentionMs, onChange }),
  };
}
