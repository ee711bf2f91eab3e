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

/** What follows from a policy beside its transports: asked by delivery, and by whoever explains what delivery will do. */

/** What a destination is given at most. */
export interface EffectiveLimits {
  /** Deliveries under way to its servers at once, of all policies together. */
  readonly concurrency: number;
  /** By all workers together. */
  readonly shared: boolean;
  /** Of this policy alone, where it says something. */
  readonly own: { readonly concurrency: number; readonly perMinute: number | undefined } | undefined;
}

/** The sandbox is this machine's own store: what it bears is not for politeness to say. */
const SANDBOX_CONCURRENCY = 1_000;

/**
 * @param transport the first one of the message
 * @param concurrency of one mail provider, where nobody says anything
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
  /** The relay has to prove its name by a certificate of an authority that this machine trusts. */
  readonly isVerified: boolean;
  /** Mail goes in plain text where TLS is not offered, or does not work. */
  readonly plainTextWillDo: boolean;
}

/** What TLS to an upstream relay has to be like. */
export function relayTls({ tls, username }: SmtpTransportSettings): RelayTls {
  return {
    mode: tls,
    // Otherwise against a passive listener only, so an unknown certificate is better than none (RFC 7435).
    isVerified: tls === "implicit" || tls === "required",
    // Credentials are never shown to listeners, so there is no falling back with them.
    plainTextWillDo: tls === "opportunistic" && username === undefined,
  };
}

export interface TransportDkim {
  readonly use: DkimUse;
  /** The policy says so, and not the catalogue of providers or the default. */
  readonly isChosen: boolean;
  /** The provider that refuses two DKIM-Signature fields, by its title; undefined: none is known to. */
  readonly refuser: string | undefined;
}

/** The DKIM signatures that Hermod adds to messages for a transport. */
export function transportDkim(transport: TransportSettings): TransportDkim {
  if (transport.kind === "sandbox") return { use: "both", isChosen: false, refuser: undefined };
  const hosts = transport.kind === "smtp" ? transport.servers.map(({ host }) => host) : [];
  const refuser = refuserOfTwoSignatures(hosts);
  const { dkim } = transport;
  return { use: dkim ?? (refuser ? "rsa" : "both"), isChosen: dkim !== undefined, refuser };
}

/**
 * The keys that sign for a transport.
 * @param carriesSignature the sender has signed the message already
 */
export function signersFor<Signer extends { readonly algorithm: string }>(
  { use, isChosen, refuser }: TransportDkim,
  signers: readonly Signer[],
  carriesSignature: boolean,
): readonly Signer[] {
  if (use === "both") return signers;
  // A second signature would have the message refused, and the sender's own is not Hermod's to remove.
  if (use === "none" || (refuser !== undefined && carriesSignature)) return [];
  const ofAlgorithm = signers.filter(({ algorithm }) => algorithm === `${use}-sha256`).slice(0, 1);
  // By default any one signature is better than none.
  return ofAlgorithm.length > 0 || isChosen ? ofAlgorithm : signers.slice(0, 1);
}

/** Nobody has subscribed to what the service itself tells. */
export function wantsListUnsubscribe(
  { operation }: { readonly operation: string },
  { listUnsubscribe = false }: Pick<PolicyDocument, "listUnsubscribe">,
): boolean {
  return listUnsubscribe && !isOfService(operation);
}

/** What of a message is tracked: as it says itself, or else its policy. Nothing is of what the service itself tells. */
export function trackedOf(
  { operation, tracking = {} }: { readonly operation: string; readonly tracking?: TrackingSettings },
  policy: Pick<PolicyDocument, "tracking">,
): { readonly opens: boolean; readonly clicks: boolean } {
  if (isOfService(operation)) return { opens: false, clicks: false };
  const { opens = false, clicks = false } = { ...policy.tracking, ...tracking };
  return { opens, clicks };
}
