import type { Binary } from "mongodb";
import type { PolicyDocument, SmtpTransportSettings, TransportSettings } from "../policy-document.ts";
import type { SealedFields, Sealing, SecretLocation } from "./sealing.ts";

export const POLICIES = "policies";

type StoredSmtp = Omit<SmtpTransportSettings, "password"> & { readonly password?: Binary | string };
export type StoredTransport = Exclude<TransportSettings, SmtpTransportSettings> | StoredSmtp;

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
  return sealTransports(sealing, policy, { collection: POLICIES, documentId: policy._id });
}

/** @throws Fault store.unavailable if a password cannot be decrypted */
export function openPolicy(sealing: Sealing, stored: StoredPolicy): PolicyDocument {
  return openTransports(sealing, stored, { collection: POLICIES, documentId: stored._id });
}

/** Document with the passwords of a policy. */
type Place = Pick<SecretLocation, "collection" | "documentId">;
/** The stored form of a policy or of its content. */
type Sealed<Content> = Omit<Content, "transports" | "rules"> &
  Pick<StoredPolicy, "transports" | "rules" | "sealedWith">;

/** Encrypts the passwords of a policy or of its content, for one document. */
export function sealTransports<Content extends Ways<TransportSettings>>(
  sealing: Sealing,
  content: Content,
  place: Place,
): Sealed<Content> {
  const { transports, rules, ...rest } = content;
  const all = [...transports, ...(rules ?? []).flatMap((rule) => rule.transports)];
  const sealTransport = (transport: TransportSettings, field: string): StoredTransport => {
    if (transport.kind !== "smtp" || transport.password === undefined) return transport;
    return {
      ...transport,
      password: sealing.seal(transport.password, locationOf(place, field, transport)),
    };
  };
  return {
    ...rest,
    ...withTransports(content, sealTransport),
    ...(all.some(hasPassword) && { sealedWith: sealing.keyId }),
  };
}

/** As `sealTransports`, in reverse. @throws Fault store.unavailable if a password cannot be decrypted */
export function openTransports<Stored extends Ways<StoredTransport> & { readonly sealedWith?: string }>(
  sealing: Sealing,
  stored: Stored,
  place: Place,
): Omit<Stored, "sealedWith" | "transports" | "rules"> & Pick<PolicyDocument, "transports" | "rules"> {
  const { sealedWith = "", transports: _transports, rules: _rules, ...rest } = stored;
  const openTransport = (transport: StoredTransport, field: string): TransportSettings => {
    if (transport.kind !== "smtp") return transport;
    const { password, ...settings } = transport;
    if (password === undefined || typeof password === "string") return transport as SmtpTransportSettings;
    const opened = sealing.open(password, sealedWith, locationOf(place, field, settings));
    return { ...settings, password: opened.toString() };
  };
  return { ...rest, ...withTransports(stored, openTransport) };
}

/** Removes the passwords, for a policy with passwords that cannot be decrypted. */
export function withoutPasswords<Stored extends Ways<StoredTransport>>(
  stored: Stored,
): Omit<Stored, "transports" | "rules"> & Pick<PolicyDocument, "transports" | "rules"> {
  const { transports: _transports, rules: _rules, ...rest } = stored;
  const withoutPassword = (transport: StoredTransport): TransportSettings => {
    if (transport.kind !== "smtp") return transport;
    const { password: _, ...settings } = transport;
    return settings;
  };
  return { ...rest, ...withTransports(stored, withoutPassword) };
}

function hasPassword(transport: TransportSettings): boolean {
  return transport.kind === "smtp" && transport.password !== undefined;
}

export interface Ways<T> {
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
function locationOf(place: Place, field: string, { servers, tls, username }: StoredSmtp) {
  const bound = [servers.map(({ host, port }) => [host, port]), tls, username];
  return { ...place, field, bound };
}

export const sealedPolicies: SealedFields = {
  turn: 2,
  fields: ["transports", "rules"],
  reseal: (sealing, stored: StoredPolicy) => sealPolicy(sealing, openPolicy(sealing, stored)),
};
