import type { Binary } from "mongodb";
import type { PolicyDocument, SmtpTransportSettings, TransportSettings } from "../policy-document.ts";
import type { SealedFields, Sealing } from "./sealing.ts";

export const POLICIES = "policies";

type StoredSmtp = Omit<SmtpTransportSettings, "password"> & { readonly password?: Binary | string };
type StoredTransport = Exclude<TransportSettings, SmtpTransportSettings> | StoredSmtp;

/** The stored form. Its passwords are encrypted, or in plain text from before they were. */
export type StoredPolicy = Omit<PolicyDocument, "transports" | "rules"> & {
  readonly transports: readonly StoredTransport[];
  readonly rules?: readonly {
    readonly domains: readonly string[];
    readonly transports: readonly StoredTransport[];
  }[];
  /** Missing: no password is encrypted. */
  readonly sealedWith?: string;
};

export function sealPolicy(sealing: Sealing, policy: PolicyDocument): StoredPolicy {
  const { transports, rules, ...rest } = policy;
  const all = [...transports, ...(rules ?? []).flatMap((rule) => rule.transports)];
  const sealTransport = (transport: TransportSettings, field: string): StoredTransport => {
    if (transport.kind !== "smtp" || transport.password === undefined) return transport;
    return {
      ...transport,
      password: sealing.seal(transport.password, locationOf(policy._id, field, transport)),
    };
  };
  return {
    ...rest,
    ...withTransports(policy, sealTransport),
    ...(all.some(hasPassword) && { sealedWith: sealing.keyId }),
  };
}

/** @throws Fault store.unavailable if a password cannot be decrypted */
export function openPolicy(sealing: Sealing, stored: StoredPolicy): PolicyDocument {
  const { sealedWith = "", transports: _transports, rules: _rules, ...rest } = stored;
  const openTransport = (transport: StoredTransport, field: string): TransportSettings => {
    if (transport.kind !== "smtp") return transport;
    const { password, ...settings } = transport;
    if (password === undefined || typeof password === "string") return transport as SmtpTransportSettings;
    const opened = sealing.open(password, sealedWith, locationOf(rest._id, field, settings));
    return { ...settings, password: opened.toString() };
  };
  return { ...rest, ...withTransports(stored, openTransport) };
}

function hasPassword(transport: TransportSettings): boolean {
  return transport.kind === "smtp" && transport.password !== undefined;
}

interface Ways<T> {
  readonly transports: readonly T[];
  readonly rules?: readonly { readonly domains: readonly string[]; readonly transports: readonly T[] }[];
}

/** Maps every transport of a policy, together with its position. */
function withTransports<From, To>(
  { transports, rules }: Ways<From>,
  change: (from: From, at: string) => To,
): Ways<To> {
  const changed = (list: readonly From[], at: string) =>
    list.map((from, n) => change(from, `${at}.${n}.password`));
  return {
    transports: changed(transports, "transports"),
    ...(rules && {
      rules: rules.map((rule, n) => ({
        ...rule,
        transports: changed(rule.transports, `rules.${n}.transports`),
      })),
    }),
  };
}

/** A password is bound to its servers: write access to the store does not allow sending it elsewhere. */
function locationOf(documentId: string, field: string, { servers, tls, username }: StoredSmtp) {
  const bound = [servers.map(({ host, port }) => [host, port]), tls, username];
  return { collection: POLICIES, documentId, field, bound };
}

export const sealedPolicies: SealedFields = {
  turn: 2,
  fields: ["transports", "rules"],
  reseal: (sealing, stored: StoredPolicy) => sealPolicy(sealing, openPolicy(sealing, stored)),
};
