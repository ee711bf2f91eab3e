import { invalidFieldTexts } from "../fault-texts/invalid-field-texts.ts";

const invalid = invalidFieldTexts["field.invalid"];

/** Reasons in the explanation of a routing policy, by code. */
export const policySentences = {
  "transport.first": "Tried first.",
  "transport.later": "Tried if the previous ones cannot be reached.",
  "transport.sandbox": "The message is captured in the sandbox inbox, and is not sent.",
  "transport.dkim": "Messages get {use:dkim_use}, as set by the policy.",
  "transport.dkim_refused":
    "Messages get {use:dkim_use}, as set by the policy; {provider} rejects two signatures.",
  "transport.dkim_provider": "Messages get {use:dkim_use}, because {provider} rejects two signatures.",

  "relay.one": "The relay is used.",
  "relay.one_public": "The relay is used, only at public addresses, because a member stored the policy.",
  "relay.several": "The relays are tried in this order.",
  "relay.several_public":
    "The relays are tried in this order, only at public addresses, because a member stored the policy.",
  "relay.tls_implicit": "TLS from the start, with a certificate for the relay's name.",
  "relay.tls_required": "STARTTLS is required, with a certificate for the relay's name.",
  "relay.tls_opportunistic":
    "STARTTLS with any certificate if it is offered and works; plain text otherwise.",
  "relay.tls_password": "STARTTLS with any certificate; never plain text, because there is a password.",
  "relay.tls_none": "No TLS: the message is sent in plain text.",

  "direct.servers": "The servers of {domain} in the DNS are tried, the most preferred first.",
  "direct.tls_opportunistic":
    "TLS if it is offered and works, plain text otherwise, unless the domain requires more.",
  "direct.tls_required": "TLS is required, with any certificate, unless the domain requires more.",
  "direct.tls_verified": "TLS is required, with a certificate for the server's name.",

  "query.mx": "Mail servers of the domain with their preference.",
  "query.addresses": "Addresses of each server. Without an MX record, the domain itself is the server.",
  "query.tlsa": "Required certificate of the server (DANE), if DNSSEC protects its addresses.",
  "query.mta_sts": "TLS policy of the domain (MTA-STS). If there is one, it is fetched over HTTPS.",

  "route.implicit": "{domain} has no MX record, so the domain itself is the server.",
  "route.one": "{domain} has this server.",
  "route.several": "{domain} has these servers.",
  "route.unknown": "The route is unknown at present, and a delivery would be deferred: {detail}.",
  "route.none": "The message would bounce: {detail}{kind:translated}.",
  "route.mta_sts_unknown":
    "The domain announces an MTA-STS policy that no delivery has fetched yet: it may require more.",

  "host.refused": "Skipped: {detail}.",
  "host.opportunistic": "TLS if it is offered and works: more is not required.",
  "host.required": "TLS is required, with any certificate, by {asked_by:asker}.",
  "host.authority":
    "TLS is required, with a certificate that is verified by a trusted authority, by {asked_by:asker}.",
  "host.dane":
    "TLS is required, with a certificate that is verified by the domain's TLSA records, by {asked_by:asker}.",
  "host.authority_and_dane":
    "TLS is required, with a certificate that is verified by a trusted authority and by the domain's TLSA records, by {asked_by:asker}.",

  "limits.concurrency":
    "At most {max} concurrent deliveries to {to:limited}, {origin:limit_origin}; fewer while the servers ask to slow down.",
  "limits.no_rate": "Messages per minute are not limited.",
  "limits.rate": "The policy allows {max} messages per minute.",

  "retry.schedule":
    "Until a server accepts the message, it is retried by {schedule:schedule} schedule. The last wait repeats, and each wait is extended by up to a tenth at random.",
  "retry.expiry": "The message expires at {at}, {origin:age_origin}.",

  "priority.transactional": "Under load, the message is sent before bulk mail.",
  "priority.bulk": "Under load, transactional mail is sent first, but bulk mail keeps a share.",

  "source.machine": "The worker's machine chooses the source address.",
  "source.addresses":
    "Connections are made from {addresses:and}. A worker without this address defers the message.",
  "source.helo_default": "The name in EHLO is HERMOD_HELO_NAME, or the machine's name if it is not set.",
  "source.helo": "The name in EHLO is {name}.",

  "list_unsubscribe.off": "The policy does not add List-Unsubscribe.",
  "list_unsubscribe.deferred": "The message would be deferred.",
  "list_unsubscribe.no_base_url": invalid.list_unsubscribe_needs_base_url,
  "list_unsubscribe.no_https": invalid.list_unsubscribe_needs_https,
  "list_unsubscribe.on":
    "One-click List-Unsubscribe is added, unless the message has its own List-Unsubscribe.",

  "tracking.off": "The policy does not track opens or clicks. A message can set tracking itself.",
  "tracking.without": "The message would be sent without tracking.",
  "tracking.no_base_url": invalid.tracking_needs_base_url,
  "tracking.no_https": invalid.tracking_needs_https,
  "tracking.on":
    "Html is tracked for {kinds:tracked}, unless the message sets it differently, or its sender has signed or encrypted it.",

  "attempt.version_gone":
    "Hermod no longer keeps the version of the policy that the attempt used. It keeps the newest {max} versions, and none from before the first release with versions.",
  "attempt.version_current": "The attempt used version {version} of the policy, which has not changed since.",
  "attempt.version_former": "The attempt used version {version} of the policy. The policy has changed since.",
} as const;
