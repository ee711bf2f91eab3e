import type { DomainRecord } from "../../api/domains.ts";

interface DnsHost {
  /** Name in the API, which finds it by the name servers of a zone. */
  readonly provider?: string;
  /** Whether its form adds the zone to names. */
  readonly isRelative: boolean;
  /** Whether its form takes values of TXT records in quotation marks. */
  readonly isQuoted?: boolean;
  /** Whether its form takes names in values with a trailing dot. */
  readonly isDotted?: boolean;
}

/** Formats of names and values in the forms of DNS providers. */
export const dnsHosts: Readonly<Record<string, DnsHost>> = {
  cloudflare: { provider: "Cloudflare", isRelative: true },
  route53: { provider: "Amazon Route 53", isRelative: true, isQuoted: true },
  namecheap: { provider: "Namecheap", isRelative: true },
  godaddy: { provider: "GoDaddy", isRelative: true },
  google: { provider: "Google Cloud DNS or Squarespace", isRelative: true, isQuoted: true },
  digitalocean: { provider: "DigitalOcean", isRelative: true, isDotted: true },
  hetzner: { provider: "Hetzner", isRelative: true },
  other: { isRelative: false },
};

/** The host that the API found by the name servers. */
export function hostOf(provider: string): string {
  return Object.entries(dnsHosts).find(([, host]) => host.provider === provider)?.[0] ?? "other";
}

/** The possible zones of a name, shortest first: a zone has at least two labels. */
export function zonesOf(domain: string): string[] {
  const labels = domain.split(".");
  return labels
    .slice(0, -1)
    .map((_, index) => labels.slice(index).join("."))
    .toReversed();
}

/** The most likely zone of a domain: `example.com`, `example.co.uk`. */
export function likelyZone(domain: string): string {
  const [shortest = domain, longer] = zonesOf(domain);
  const [second = "", top = ""] = shortest.split(".");
  return top.length === 2 && second.length <= 3 && longer !== undefined ? longer : shortest;
}

/** A record in the form that a host takes. */
export function recordAt(
  host: DnsHost,
  zone: string,
  { type, name, value }: Pick<DomainRecord, "type" | "name" | "value">,
): { readonly name: string; readonly value: string } {
  const isOfZone = name === zone || name.endsWith(`.${zone}`);
  const relative = name === zone ? "@" : name.slice(0, -zone.length - 1);
  return { name: host.isRelative && isOfZone ? relative : name, value: valueAt(host, type, value) };
}

function valueAt({ isQuoted = false, isDotted = false }: DnsHost, type: string, value: string): string {
  if (value === "") return value;
  if (type === "CNAME" && isDotted) return `${value}.`;
  if (type !== "TXT" || !isQuoted) return value;
  // A string of a TXT record has 255 octets at most (RFC 1035 section 3.3.14).
  const parts = value.match(/.{1,255}/g) ?? [];
  return parts.map((part) => `"${part.replace(/(["\\])/g, "\\$1")}"`).join(" ");
}
