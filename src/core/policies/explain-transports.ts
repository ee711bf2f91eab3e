import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  DnsQuestionSchema,
  RouteFoundSchema,
  TransportExplanationSchema,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { relayTls, transportDkim } from "../../routing/effects.ts";
import type { FoundHost, FoundRoute } from "../../routing/found-route.ts";
import type {
  DirectTransportSettings,
  SmtpTransportSettings,
  TransportSettings,
} from "../../store/policy-document.ts";
import type { DeliveryFacts, PolicyBounds } from "../dependencies.ts";
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
      const orderText = index === 0 ? "Tried first." : "Tried if the previous ones cannot be reached.";
      switch (transport.kind) {
        case "sandbox":
          return {
            kind: "sandbox",
            dkim: transportDkim(transport).use,
            reason: `${orderText} The message is captured in the sandbox inbox, and is not sent.`,
          };
        case "smtp":
          return explainRelay(transport, orderText, context);
        case "direct":
          return explainDirect(transport, orderText, context, await routeFor(transport.tls));
      }
    }),
  );
}

type Context = Omit<TransportContext, "lookUp">;

function explainRelay(
  settings: SmtpTransportSettings,
  orderText: string,
  { policy, bounds }: Context,
): Explained {
  const { servers, tls, username, maxConnections } = settings;
  const { isVerified, plainTextWillDo } = relayTls(settings);
  const publicOnly = policy.storedBy === "account" && !bounds.allowPrivate;
  const order = servers.length === 1 ? "The relay is used" : "The relays are tried in this order";
  const where = publicOnly ? ", only at public addresses, because a member stored the policy" : "";
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
    reason: `${orderText} ${order}${where}. ${tlsSentence(settings)}${dkimSentence(settings)}`,
  };
}

/** Empty if only the default applies. */
function dkimSentence(transport: TransportSettings): string {
  const { use, isChosen, refuser } = transportDkim(transport);
  const what = {
    both: "a signature with each of the domain's DKIM keys",
    rsa: "only an RSA signature",
    ed25519: "only an Ed25519 signature",
    none: "no DKIM signature",
  }[use];
  if (isChosen) {
    const risk = use === "both" && refuser ? `; ${refuser} rejects two signatures` : "";
    return ` Messages get ${what}, as set by the policy${risk}.`;
  }
  return refuser ? ` Messages get ${what}, because ${refuser} rejects two signatures.` : "";
}

function tlsSentence(settings: SmtpTransportSettings): string {
  switch (settings.tls) {
    case "implicit":
      return "TLS from the start, with a certificate for the relay's name.";
    case "required":
      return "STARTTLS is required, with a certificate for the relay's name.";
    case "opportunistic":
      return relayTls(settings).plainTextWillDo
        ? "STARTTLS with any certificate if it is offered and works; plain text otherwise."
        : "STARTTLS with any certificate; never plain text, because there is a password.";
    case "none":
      return "No TLS: the message is sent in plain text.";
  }
}

function explainDirect(
  settings: DirectTransportSettings,
  orderText: string,
  { domain, bounds, deliveryFacts }: Context,
  found: FoundRoute | undefined,
): Explained {
  const { tls, maxConnections } = settings;
  const demand = {
    opportunistic: "TLS if it is offered and works, plain text otherwise, unless the domain requires more.",
    required: "TLS is required, with any certificate, unless the domain requires more.",
    verified: "TLS is required, with a certificate for the server's name.",
  }[tls];
  return {
    kind: "direct",
    tls,
    certificateVerified: tls === "verified",
    plainTextAllowed: tls === "opportunistic",
    maxConnections,
    publicAddressesOnly: !bounds.allowPrivate,
    dkim: transportDkim(settings).use,
    reason: `${orderText} The servers of ${domain} in the DNS are tried, the most preferred first. ${demand}${dkimSentence(settings)}`,
    questions: questionsFor(domain, deliveryFacts),
    ...(found && { found: routeFound(found, domain) }),
  };
}

function questionsFor(
  domain: string,
  { mxPort, ipv6, dane, mtaSts }: DeliveryFacts,
): MessageInitShape<typeof DnsQuestionSchema>[] {
  return [
    { name: domain, type: "MX", reason: "Mail servers of the domain with their preference." },
    {
      name: "<server>",
      type: ipv6 ? "A and AAAA" : "A",
      reason: "Addresses of each server. Without an MX record, the domain itself is the server.",
    },
    ...(dane
      ? [
          {
            name: `_${mxPort}._tcp.<server>`,
            type: "TLSA",
            reason: "Required certificate of the server (DANE), if DNSSEC protects its addresses.",
          },
        ]
      : []),
    ...(mtaSts
      ? [
          {
            name: `_mta-sts.${domain}`,
            type: "TXT",
            reason: "TLS policy of the domain (MTA-STS). If there is one, it is fetched over HTTPS.",
          },
        ]
      : []),
  ];
}

function routeFound(
  { kind, reason, isImplicit, hosts, unusable, hasUnknownMtaSts }: FoundRoute,
  domain: string,
): MessageInitShape<typeof RouteFoundSchema> {
  const sentences = [
    kind === "hosts" && isImplicit && `${domain} has no MX record, so the domain itself is the server.`,
    kind === "hosts" &&
      !isImplicit &&
      `${domain} has ${hosts.length === 1 ? "this server" : "these servers"}.`,
    kind === "temporary" && `The route is unknown at present, and a delivery would be deferred: ${reason}.`,
    ["null_mx", "no_domain", "no_route"].includes(kind) && `The message would bounce: ${reason}.`,
    hasUnknownMtaSts &&
      "The domain announces an MTA-STS policy that no delivery has fetched yet: it may require more.",
  ];
  return {
    kind,
    reason: sentences.filter(Boolean).join(" "),
    hosts: hosts.map((host) => ({
      exchange: host.exchange,
      preference: host.preference,
      addresses: [...host.addresses],
      tls: host.tls.level,
      certificate: [...host.tls.certificate],
      askedBy: [...host.tls.askedBy],
      reason: hostSentence(host),
    })),
    unusable: [...unusable],
  };
}

const askers = {
  policy: "the policy",
  dane: "the domain by DANE",
  mta_sts: "the domain by MTA-STS",
} as const;

function hostSentence({ tls: { level, certificate, askedBy, refusal } }: FoundHost): string {
  const who = askedBy.map((one) => askers[one]).join(" and ") || "nobody";
  if (level === "refused") return `Skipped: ${refusal}.`;
  if (level === "opportunistic") return "TLS if it is offered and works: more is not required.";
  const proofs = { authority: "a trusted authority", dane: "the domain's TLSA records" };
  const proof = certificate.map((one) => proofs[one]).join(" and by ");
  const how = proof === "" ? "with any certificate" : `with a certificate that is verified by ${proof}`;
  return `TLS is required, ${how}, by ${who}.`;
}
