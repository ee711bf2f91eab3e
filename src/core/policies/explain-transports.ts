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
  const looks = new Map<string, Promise<FoundRoute>>();
  const look = (setting: DirectTransportSettings["tls"]) => {
    const known = looks.get(setting) ?? lookUp?.(context.domain, setting);
    if (known) looks.set(setting, known);
    return known;
  };
  return Promise.all(
    transports.map(async (transport, index) => {
      const turn = index === 0 ? "Tried first." : "Tried when those before cannot be reached.";
      switch (transport.kind) {
        case "sandbox":
          return {
            kind: "sandbox",
            dkim: transportDkim(transport).use,
            reason: `${turn} The message is captured in the sandbox inbox, and nothing leaves.`,
          };
        case "smtp":
          return explainRelay(transport, turn, context);
        case "direct":
          return explainDirect(transport, turn, context, await look(transport.tls));
      }
    }),
  );
}

type Context = Omit<TransportContext, "lookUp">;

function explainRelay(settings: SmtpTransportSettings, turn: string, { policy, bounds }: Context): Explained {
  const { servers, tls, username, maxConnections } = settings;
  const { isVerified, plainTextWillDo } = relayTls(settings);
  const publicOnly = policy.storedBy === "account" && !bounds.allowPrivate;
  const order = servers.length === 1 ? "The relay is asked" : "The relays are asked in this order";
  const where = publicOnly ? ", at public addresses alone, for a member stored the policy" : "";
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
    reason: `${turn} ${order}${where}. ${tlsSentence(settings)}${dkimSentence(settings)}`,
  };
}

/** Empty if only the default applies. */
function dkimSentence(transport: TransportSettings): string {
  const { use, isChosen, refuser } = transportDkim(transport);
  const what = {
    both: "a signature of each of the domain's DKIM keys",
    rsa: "an RSA signature alone",
    ed25519: "an Ed25519 signature alone",
    none: "no DKIM signature",
  }[use];
  if (isChosen) {
    const risk = use === "both" && refuser ? `; ${refuser} refuses two of them` : "";
    return ` Messages get ${what}, as the policy says${risk}.`;
  }
  return refuser ? ` Messages get ${what}, because ${refuser} refuses two.` : "";
}

function tlsSentence(settings: SmtpTransportSettings): string {
  switch (settings.tls) {
    case "implicit":
      return "TLS from the start, with a certificate that proves the relay's name.";
    case "required":
      return "STARTTLS or nothing, with a certificate that proves the relay's name.";
    case "opportunistic":
      return relayTls(settings).plainTextWillDo
        ? "STARTTLS where it is offered and works, whatever the certificate; plain text otherwise."
        : "STARTTLS, whatever the certificate; never plain text, for there is a password.";
    case "none":
      return "No TLS: the message goes in plain text.";
  }
}

function explainDirect(
  settings: DirectTransportSettings,
  turn: string,
  { domain, bounds, deliveryFacts }: Context,
  found: FoundRoute | undefined,
): Explained {
  const { tls, maxConnections } = settings;
  const demand = {
    opportunistic:
      "TLS where it is offered and works, plain text otherwise, unless the domain asks for more.",
    required: "TLS or nothing, whatever the certificate, unless the domain asks for more.",
    verified: "TLS or nothing, with a certificate that proves the server's name.",
  }[tls];
  return {
    kind: "direct",
    tls,
    certificateVerified: tls === "verified",
    plainTextAllowed: tls === "opportunistic",
    maxConnections,
    publicAddressesOnly: !bounds.allowPrivate,
    dkim: transportDkim(settings).use,
    reason: `${turn} The servers that the DNS names for ${domain} are asked, the most preferred first. ${demand}${dkimSentence(settings)}`,
    questions: questionsFor(domain, deliveryFacts),
    ...(found && { found: routeFound(found, domain) }),
  };
}

function questionsFor(
  domain: string,
  { mxPort, ipv6, dane, mtaSts }: DeliveryFacts,
): MessageInitShape<typeof DnsQuestionSchema>[] {
  return [
    { name: domain, type: "MX", reason: "Which servers take mail for the domain, and which are preferred." },
    {
      name: "<server>",
      type: ipv6 ? "A and AAAA" : "A",
      reason: "Where each of them is; the domain itself stands for them where it has no MX record.",
    },
    ...(dane
      ? [
          {
            name: `_${mxPort}._tcp.<server>`,
            type: "TLSA",
            reason: "Which certificate the server must have (DANE), where DNSSEC vouches for its addresses.",
          },
        ]
      : []),
    ...(mtaSts
      ? [
          {
            name: `_mta-sts.${domain}`,
            type: "TXT",
            reason: "Whether the domain has a policy on TLS (MTA-STS), which is fetched by HTTPS then.",
          },
        ]
      : []),
  ];
}

function routeFound(
  { kind, reason, isImplicit, hosts, unusable, hasUnknownMtaSts }: FoundRoute,
  domain: string,
): MessageInitShape<typeof RouteFoundSchema> {
  const told = [
    kind === "hosts" && isImplicit && `${domain} has no MX record, so it is its own server.`,
    kind === "hosts" &&
      !isImplicit &&
      `${domain} names ${hosts.length === 1 ? "this server" : "these servers"}.`,
    kind === "temporary" &&
      `It is not known now where mail goes, and a delivery would be put off: ${reason}.`,
    ["null_mx", "no_domain", "no_route"].includes(kind) && `The message would bounce: ${reason}.`,
    hasUnknownMtaSts &&
      "The domain announces an MTA-STS policy that no delivery has fetched yet: it may ask for more.",
  ];
  return {
    kind,
    reason: told.filter(Boolean).join(" "),
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
  if (level === "refused") return `Passed over: ${refusal}.`;
  if (level === "opportunistic") return "TLS where it is offered and works: nobody asks for more.";
  const proofs = { authority: "an authority that is trusted here", dane: "the domain's TLSA records" };
  const proof = certificate.map((one) => proofs[one]).join(" and by ");
  const how = proof === "" ? "whatever the certificate" : `with a certificate that is proven by ${proof}`;
  return `TLS or nothing, ${how}, as ${who} asks.`;
}
