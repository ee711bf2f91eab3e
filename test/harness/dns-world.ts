import { createLookup } from "../../src/dns/lookup.ts";
import { type BeginSurvey, createBeginSurvey, type SurveyOptions } from "../../src/dns/survey.ts";
import { createRefuseDestination } from "../../src/shared/destination-address.ts";
import { parseDnsServer } from "../../src/shared/dns-server-address.ts";
import { type DnsServer, type DnsZones, startDnsServer } from "./dns-server.ts";

/** A resolver and the name servers of a domain, each with its own data. */
export interface DnsWorld {
  readonly resolver: DnsServer;
  /** ns1 and ns2 of the domain. */
  readonly servers: readonly [DnsServer, DnsServer];
  readonly beginSurvey: BeginSurvey;
  /** Like `beginSurvey`, with these options changed. */
  surveyWith(changes: Partial<SurveyOptions>): BeginSurvey;
  /** Publishes these names on all of them, in addition to the zone's own NS records. */
  publish(zones: DnsZones): void;
  /** Sets the data of the resolver only. */
  publishAtResolver(zones: DnsZones): void;
  /** Sets the data of one name server. */
  publishAt(server: 0 | 1, zones: DnsZones): void;
  close(): Promise<void>;
}

/** Addresses in 127/8 for the servers of one world: every world has its own port. */
const HOSTS = ["127.0.0.1", "127.0.0.2"] as const;

/** @param domain its name servers are ns1 and ns2 below it */
export async function openDnsWorld(domain = "example.com"): Promise<DnsWorld> {
  const resolver = await startDnsServer();
  const first = await startDnsServer({}, { authoritative: true, leaveAliases: true });
  const port = parseDnsServer(first.address)?.port ?? 0;
  const second = await startDnsServer(
    {},
    { authoritative: true, leaveAliases: true, at: { host: HOSTS[1], port } },
  );
  const servers = [first, second] as const;
  const zone = (zones: DnsZones): DnsZones => ({
    ...zones,
    [domain]: { NS: [`ns1.${domain}`, `ns2.${domain}`], ...zones[domain] },
    [`ns1.${domain}`]: { A: [HOSTS[0]], ...zones[`ns1.${domain}`] },
    [`ns2.${domain}`]: { A: [HOSTS[1]], ...zones[`ns2.${domain}`] },
  });
  const publishAtResolver = (zones: DnsZones) => resolver.serve(zone(zones));
  const publishAt = (server: 0 | 1, zones: DnsZones) => servers[server].serve(zone(zones));
  const publish = (zones: DnsZones) => {
    publishAtResolver(zones);
    publishAt(0, zones);
    publishAt(1, zones);
  };
  publish({});
  const at = parseDnsServer(resolver.address);
  const surveyWith = (changes: Partial<SurveyOptions>) =>
    createBeginSurvey({
      lookup: createLookup({
        servers: at ? [at] : [],
        retryMs: 100,
        tries: 2,
        timeoutMs: 300,
        maxConcurrent: 50,
      }),
      refuse: createRefuseDestination({ allowPrivate: true, ownAddresses: [] }),
      ipv6: false,
      port,
      retryMs: 100,
      answerMs: 300,
      limits: { lookups: 120, timeoutMs: 10_000 },
      maxConcurrent: 50,
      ...changes,
    });
  return {
    resolver,
    servers,
    beginSurvey: surveyWith({}),
    surveyWith,
    publish,
    publishAtResolver,
    publishAt,
    close: async () => {
      await Promise.all([resolver, ...servers].map((server) => server.close()));
    },
  };
}
