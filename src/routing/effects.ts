import { isOfService } from "../shared/operations.ts";
import { refuserOfTwoSignatures } from "../shared/relay-providers.ts";
import type {
  DkimUse,
  PolicyDocument,
  PolicyLimits,
  SmtpTransportSettings,
  TrackingSettings,
  TransportSettings,
} from "../store/policy-document.ts";

/** Effects of a policy apart from its transports, shared by delivery and by the explanation of a policy. */

/** Limits for one destination. */
export interface EffectiveLimits {
  /** Maximum number of concurrent deliveries to its servers, for all policies together. */
  readonly concurrency: number;
  /** The limit is shared by all workers. */
  readonly shared: boolean;
  /** Limits of this policy alone, if it sets any. */
  readonly own: { readonly concurrency: number; readonly perMinute: number | undefined } | undefined;
}

/** The sandbox stores mail on this machine, so no remote server has to be protected. */
const SANDBOX_CONCURRENCY = 1_000;

/**
 * @param transport first transport of the message
 * @param concurrency default for one mailbox provider
 */
export function limitsOf(
  limits: PolicyLimits | undefined,
  transport: TransportSettings | undefined,
  concurrency: number,
): EffectiveLimits {
  const shared = transport?.kind !== "sandbox";
  const ceiling = transport?.kind === "smtp" ? transport.maxConnections : concurrency;
  const most = shared ? ceiling : SANDBOX_CONCURRENCY;
  const own = limits && {
    concurrency: limits.concurrency ?? most,
    perMinute: limits.messagesPerMinute,
  };
  return { concurrency: most, shared, own };
}

export interface RelayTls {
  readonly mode: SmtpTransportSettings["tls"];
  /** The relay must present a certificate for its name from an authority that this machine trusts. */
  readonly isVerified: boolean;
  /** Mail is sent in plain text if TLS is not offered or fails. */
  readonly plainTextWillDo: boolean;
}

/** TLS requirements for an upstream relay. */
export function relayTls({ tls, username }: SmtpTransportSettings): RelayTls {
  return {
    mode: tls,
    // In other modes TLS protects only against a passive listener, so an unknown certificate is better than none (RFC 7435).
    isVerified: tls === "implicit" || tls === "required",
    // Credentials must not be sent in plain text, so there is no fallback with them.
    plainTextWillDo: tls === "opportunistic" && username === undefined,
  };
}

export interface TransportDkim {
  readonly use: DkimUse;
  /** Set by the policy, not by the catalog of providers or the default. */
  readonly isChosen: boolean;
  /** Name of the provider that rejects two DKIM-Signature fields; undefined if no known provider of the transport does. */
  readonly refuser: string | undefined;
}

/** DKIM signatures that Hermod adds to messages for a transport. */
export function transportDkim(transport: TransportSettings): TransportDkim {
  if (transport.kind === "sandbox") return { use: "both", isChosen: false, refuser: undefined };
  const hosts = transport.kind === "smtp" ? transport.servers.map(({ host }) => host) : [];
  const refuser = refuserOfTwoSignatures(hosts);
  const { dkim } = transport;
  return { use: dkim ?? (refuser ? "rsa" : "both"), isChosen: dkim !== undefined, refuser };
}

/**
 * Keys that sign for a transport.
 * @param carriesSignature the sender has already signed the message
 */
export function signersFor<Signer extends { readonly algorithm: string }>(
  { use, isChosen, refuser }: TransportDkim,
  signers: readonly Signer[],
  carriesSignature: boolean,
): readonly Signer[] {
  if (use === "both") return signers;
  // The provider would reject a second signature, and Hermod does not remove the signature of the sender.
  if (use === "none" || (refuser !== undefined && carriesSignature)) return [];
  const ofAlgorithm = signers.filter(({ algorithm }) => algorithm === `${use}-sha256`).slice(0, 1);
  // By default any one signature is better than none.
  return ofAlgorithm.length > 0 || isChosen ? ofAlgorithm : signers.slice(0, 1);
}

/** Messages of the service itself have no subscribers. */
export function wantsListUnsubscribe(
  { operation }: { readonly operation: string },
  { listUnsubscribe = false }: Pick<PolicyDocument, "listUnsubscribe">,
): boolean {
  return listUnsubscribe && !isOfService(operation);
}

/** Tracking of a message: its own settings override those of its policy. Messages of the service itself are not tracked. */
export function trackedOf(
  { operation, tracking = {} }: { readonly operation: string; readonly tracking?: TrackingSettings },
  policy: Pick<PolicyDocument, "tracking">,
): { readonly opens: boolean; readonly clicks: boolean } {
  if (isOfService(operation)) return { opens: false, clicks: false };
  const { opens = false, clicks = false } = { ...policy.tracking, ...tracking };
  return { opens, clicks };
}
