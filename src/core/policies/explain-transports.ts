import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  DnsQuestionSchema,
  RouteFoundSchema,
  TransportExplanationSchema,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { relayTls, transportDkim } from "../../routing/effects.ts";
import type { FoundHost, FoundRoute } from "../../routing/found-route.ts";
import { type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import type {
  DirectTransportSettings,
  SmtpTransportSettings,
  TransportSettings,
} from "../../store/policy-document.ts";
import type { DeliveryFacts, PolicyBounds } from "../dependencies.ts";
import { reasonFields } from "../text-parts.ts";
import type { PolicyContent } from "./read-policy.ts";

type Explained = MessageInitShape<typeof TransportExplanationSchema>;

export interface TransportContext {
  readonly domain: string;
  readonly policy: Pick<PolicyContent, "storedBy">;
  readonly bounds: Pick<PolicyBounds, "allowPrivate">;
  readonly deliveryFacts: DeliveryFacts;
  /** undefined: the DNS is not queried. */
  readonly lookUp:
    | ((domain: string, setting: DirectTransportSettings["tls"]) => Promise<FoundRoute>)
    | undefined;
}

/** Transports, in their order. The explanation contains no password. */
export async function explainTransports(
  transports: readonly TransportSettings[],
  { lookUp, ...context }: TransportContext,
): Promise<Explained[]> {
  // One domain, and one result per TLS setting: the DNS is queried once for equal transports.
  const routes = new Map<string, Promise<FoundRoute>>();
  const routeFor = (setting: DirectTransportSettings["tls"]) => {
    const known = routes.get(setting) ?? lookUp?.(context.domain, setting);
    if (known) routes.set(setting, known);
    return known;
  };
  return Promise.all(
    transports.map(async (transport, index) => {
      const order = phrase(index === 0 ? "transport.first" : "transport.later");
      switch (transport.kind) {
        case "sandbox":
          return {
            kind: "sandbox",
            dkim: transportDkim(transport).use,
            ...reasonFields(phrases(order, phrase("transport.sandbox"))),
          };
        case "smtp":
          return explainRelay(transport, order, context);
        case "direct":
          return explainDirect(transport, order, context, await routeFor(transport.tls));
      }
    }),
  );
}

type Context = Omit<TransportContext, "lookUp">;

function explainRelay(
  settings: SmtpTransportSettings,
  order: Phrase,
  { policy, bounds }: Context,
): Explained {
  const { servers, tls, username, maxConnections } = settings;
  const { isVerified, plainTextWillDo } = relayTls(settings);
  const publicOnly = policy.storedBy === "account" && !bounds.allowPrivate;
  const count = servers.length === 1 ? "one" : "several";
  const use = phrase(publicOnly ? `relay.${count}_public` : `relay.${count}`);
  return {
    kind: "smtp",
    servers: servers.map(({ host, port }) => ({ host, port })),
    tls,
    certificateVerified: isVerified,
    plainTextAllowed: plainTextWillDo || tls === "none",
    username: username ?? "",
    maxConnections,
    publicAddressesOnly: publicOnly,
    dkim: transportDkim(settings).use,
    ...reasonFields(phrases(order, use, tlsPhrase(settings), dkimPhrase(settings))),
  };
}

/** undefined: only the default applies. */
function dkimPhrase(transport: TransportSettings): Phrase | undefined {
  const { use, isChosen, refuser: provider } = transportDkim(transport);
  if (!isChosen)
    return provider === undefined ? undefined : phrase("transport.dkim_provider", { use, provider });
  return use === "both" && provider !== undefined
    ? phrase("transport.dkim_refused", { use, provider })
    : phrase("transport.dkim", { use });
}

function tlsPhrase(settings: SmtpTransportSettings): Phrase {
  if (settings.tls === "opportunistic" && !relayTls(settings).plainTextWillDo)
    return phrase("relay.tls_password");
  return phrase(`relay.tls_${settings.tls}`);
}

function explainDirect(
  settings: DirectTransportSettings,
  order: Phrase,
  { domain, bounds, deliveryFacts }: Context,
  found: FoundRoute | undefined,
): Explained {
  const { tls, maxConnections } = settings;
  const demand = phrase(`direct.tls_${tls}`);
  return {
    kind: "direct",
    tls,
    certificateVerified: tls === "verified",
    plainTextAllowed: tls === "opportunistic",
    maxConnections,
    publicAddressesOnly: !bounds.allowPrivate,
    dkim: transportDkim(settings).use,
    ...reasonFields(phrases(order, phrase("direct.servers", { domain }), demand, dkimPhrase(settings))),
    questions: questionsFor(domain, deliveryFacts),
    ...(found && { found: routeFound(found, domain) }),
  };
}

function questionsFor(
  domain: string,
  { mxPort, ipv6, dane, mtaSts }: DeliveryFacts,
): MessageInitShape<typeof DnsQuestionSchema>[] {
  return [
    { name: domain, type: "MX", ...reasonFields(phrase("query.mx")) },
    {
      name: "<server>",
      type: ipv6 ? "A and AAAA" : "A",
      ...reasonFields(phrase("query.addresses")),
    },
    ...(dane
      ? [
          {
            name: `_${mxPort}._tcp.<server>`,
            type: "TLSA",
            ...reasonFields(phrase("query.tlsa")),
          },
        ]
      : []),
    ...(mtaSts
      ? [
          {
            name: `_mta-sts.${domain}`,
            type: "TXT",
            ...reasonFields(phrase("query.mta_sts")),
          },
        ]
      : []),
  ];
}

function routeFound(
  { kind, reason: detail, isImplicit, hosts, unusable, hasUnknownMtaSts }: FoundRoute,
  domain: string,
): MessageInitShape<typeof RouteFoundSchema> {
  const servers = hosts.length === 1 ? phrase("route.one", { domain }) : phrase("route.several", { domain });
  const found = {
    hosts: isImplicit ? phrase("route.implicit", { domain }) : servers,
    temporary: phrase("route.unknown", { detail }),
    null_mx: phrase("route.none", { detail, kind }),
    no_domain: phrase("route.none", { detail, kind }),
    no_route: phrase("route.none", { detail, kind }),
  }[kind];
  return {
    kind,
    ...reasonFields(phrases(found, hasUnknownMtaSts && phrase("route.mta_sts_unknown"))),
    hosts: hosts.map((host) => ({
      exchange: host.exchange,
      preference: host.preference,
      addresses: [...host.addresses],
      tls: host.tls.level,
      certificate: [...host.tls.certificate],
      askedBy: [...host.tls.askedBy],
      ...reasonFields(hostPhrase(host)),
    })),
    unusable: [...unusable],
  };
}

function hostPhrase({ tls: { level, certificate, askedBy, refusal } }: FoundHost): Phrase {
  if (level === "refused") return phrase("host.refused", { detail: refusal });
  if (level === "opportunistic") return phrase("host.opportunistic");
  const asked = { asked_by: askedBy.length > 0 ? askedBy : ["nobody"] };
  const [first, second] = certificate;
  if (first === undefined) return phrase("host.required", asked);
  return phrase(second === undefined ? `host.${first}` : "host.authority_and_dane", asked);
}
