import { setMaxListeners } from "node:events";
import { createDownAddresses } from "../delivery/routing/down-addresses.ts";
import type { RouteDomain } from "../delivery/routing/mx-route.ts";
import { createRelayAddresses } from "../delivery/routing/relay-addresses.ts";
import { createDirectTransport } from "../delivery/transports/direct.ts";
import { createSandboxTransport } from "../delivery/transports/sandbox.ts";
import { createSmtpTransport } from "../delivery/transports/smtp.ts";
import { createTransportCache, type TransportFor } from "../delivery/transports/transport-cache.ts";
import { createHostAddresses } from "../dns/host-addresses.ts";
import { createHostsFile } from "../dns/hosts-file.ts";
import type { Resolver } from "../dns/resolver.ts";
import { createRefuseDestination, type DestinationRules } from "../shared/destination-address.ts";
import { heloNameWarning } from "../smtp-client/helo-name.ts";
import { smtpTimeouts } from "../smtp-client/smtp-timeouts.ts";
import type { Store } from "../store/store.ts";
import { createDemandTls } from "../transport-security/demand-tls.ts";
import { composeMxRoute } from "./mx-route.ts";
import type { Process } from "./process.ts";
import { composeRecipientDemands } from "./recipient-demands.ts";

const GOODBYE_MS = 250;

/** Transports of this process. */
export interface Transports {
  readonly transportFor: TransportFor;
  /** Route of mail for domains, from this machine. */
  readonly route: RouteDomain;
  /** Settings of both transports. */
  readonly resolver: Resolver;
  readonly rules: DestinationRules;
  /** Leaves every server that cannot have its message yet; nothing more is sent. */
  readonly abandon: () => void;
}

export function composeTransports(process: Process, store: Store): Transports {
  const { config, clock, lifecycle, log } = process;
  const { resolver, rules, route } = composeMxRoute(process);
  const demands = composeRecipientDemands(process, { resolver, store, rules });
  const sandbox = createSandboxTransport({
    sandbox: store.acrossAccounts.sandbox,
    clock,
    retentionMs: config.retention.sandboxMs,
  });
  const heloWarning = heloNameWarning(config.smtp.heloName);
  if (heloWarning !== undefined) log.warn(heloWarning);
  const ending = new AbortController();
  // One for each connection.
  setMaxListeners(0, ending.signal);
  const shared = {
    ending: ending.signal,
    timeouts: smtpTimeouts(config.delivery.smtpTimeoutMs),
    down: createDownAddresses({ clock }),
    clock,
  };
  const refuse = createRefuseDestination(rules);
  const findAddresses = createRelayAddresses({
    clock,
    find: createHostAddresses({
      resolver,
      hostsFile: createHostsFile({ clock }),
      ipv6: config.delivery.ipv6,
      asksSystem: config.delivery.dnsServers.length === 0,
    }),
  });
  const cache = createTransportCache((settings, { source, storedBy }) => {
    const connection = {
      ...shared,
      heloName: config.smtp.heloName,
      ...(source && { source }),
    };
    switch (settings.kind) {
      case "sandbox":
        return sandbox;
      case "smtp":
        return createSmtpTransport({
          settings,
          ...connection,
          findAddresses,
          // The operator knows this network; the policy of an account is not trusted.
          refuse: storedBy === "account" ? refuse : undefined,
        });
      case "direct": {
        const demandTls = createDemandTls({ setting: settings.tls, ...demands });
        return createDirectTransport({
          settings,
          route,
          port: config.delivery.mxPort,
          demandTls,
          ...connection,
        });
      }
    }
  });
  const abandon = () => ending.abort();
  lifecycle.defer("transports", () => {
    cache.close();
    // A server that does not answer QUIT must not hold the process.
    setTimeout(abandon, GOODBYE_MS).unref();
  });
  return { transportFor: cache.transportFor, route, resolver, rules, abandon };
}
