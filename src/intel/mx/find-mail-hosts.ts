import { hostName } from "../../dns/names.ts";
import { type Phrase, phrase } from "../../shared/phrase.ts";
import type { Evidence } from "../check-result.ts";
import type { ProbeDns, Probed } from "../probe-dns.ts";

/** A mail host of a domain, with its addresses. */
export interface MailHost {
  /** In lower case. */
  readonly name: string;
  readonly preference: number;
  /** Why mail cannot be sent to this host; undefined: it may be possible. */
  readonly problem?: Phrase;
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
  /** Whether the name is an alias (CNAME). */
  readonly isAlias: boolean;
  /** Why the lookup of its addresses failed. */
  readonly failure?: string;
}

/**
 * Mail hosts of a domain (RFC 5321 section 5.1).
 *
 * - `hosts`: its MX records name them
 * - `implicit`: it has no MX record, so mail goes to its own address
 * - `null`: it declares that it receives no mail (RFC 7505)
 * - `none`: there is no host for mail
 * - `failed`: the lookup failed
 */
export type MailHosts = { readonly evidence: readonly Evidence[] } & (
  | { readonly kind: "hosts" | "implicit"; readonly hosts: readonly MailHost[] }
  | { readonly kind: "null" | "none" }
  | { readonly kind: "failed"; readonly reason: string }
);

/** Limit of checked hosts. Senders try only a few. */
const MAX_HOSTS = 20;

export async function findMailHosts(domain: string, dns: ProbeDns): Promise<MailHosts> {
  const { answer, evidence } = await dns.lookUp(domain, "MX");
  if (answer.kind === "failed") return { kind: "failed", reason: answer.reason, evidence: [evidence] };
  if (answer.kind !== "records") return implicitHost(domain, dns, evidence);
  const { records } = answer;
  if (records.every(({ exchange }) => isRoot(exchange))) return { kind: "null", evidence: [evidence] };
  const byPreference = records.toSorted((a, b) => a.preference - b.preference).slice(0, MAX_HOSTS);
  const found = await Promise.all(
    byPreference.map(({ exchange, preference }) => findHost({ name: exchange, preference }, dns)),
  );
  return {
    kind: "hosts",
    hosts: found.map(({ host }) => host),
    evidence: [evidence, ...found.flatMap((one) => one.evidence)],
  };
}

async function implicitHost(domain: string, dns: ProbeDns, asked: Evidence): Promise<MailHosts> {
  const found = await findHost({ name: domain, preference: 0 }, dns);
  const evidence = [asked, ...found.evidence];
  const { ipv4, ipv6, failure } = found.host;
  if (ipv4.length + ipv6.length > 0) return { kind: "implicit", hosts: [found.host], evidence };
  return failure === undefined ? { kind: "none", evidence } : { kind: "failed", reason: failure, evidence };
}

async function findHost(
  { name: exchange, preference }: { readonly name: string; readonly preference: number },
  dns: ProbeDns,
): Promise<{ readonly host: MailHost; readonly evidence: readonly Evidence[] }> {
  const name = exchange.toLowerCase();
  const none = { name, preference, ipv4: [], ipv6: [], isAlias: false };
  if (isRoot(exchange)) {
    return { host: { ...none, problem: phrase("mx.root") }, evidence: [] };
  }
  const host = hostName(exchange);
  if (host === undefined) {
    return { host: { ...none, problem: phrase("mx.not_a_host") }, evidence: [] };
  }
  const [four, six] = await Promise.all([dns.lookUp(host, "A"), dns.lookUp(host, "AAAA")]);
  const failure = [four, six].map(failureOf).find((reason) => reason !== undefined);
  const isAlias = [four, six].some(
    ({ answer }) => answer.kind === "records" && answer.canonicalName !== host,
  );
  return {
    host: {
      name: host,
      preference,
      ipv4: recordsOf(four),
      ipv6: recordsOf(six),
      isAlias,
      ...(failure !== undefined && { failure }),
    },
    evidence: [four.evidence, six.evidence],
  };
}

function isRoot(exchange: string): boolean {
  return exchange === "." || exchange === "";
}

function recordsOf({ answer }: Probed<string>): readonly string[] {
  return answer.kind === "records" ? answer.records : [];
}

function failureOf({ answer }: Probed<string>): string | undefined {
  return answer.kind === "failed" ? answer.reason : undefined;
}
