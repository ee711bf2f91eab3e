import { askPython } from "./ask-python.ts";
import type { DnsServer } from "./dns-server.ts";

/**
 * Returns the results of checkdmarc for domains with zones on this server.
 * @param verdict Python: a function `verdict(domain, **asked)` with its imports; `asked` is passed to the checks
 *   of checkdmarc
 */
export async function askCheckdmarc<T>(
  { address }: Pick<DnsServer, "address">,
  domains: readonly string[],
  verdict: string,
): Promise<[domain: string, verdict: T][]> {
  const program = `${verdict}\n${PROGRAM}`;
  const input = [Number(address.split(":")[1]), domains];
  return Object.entries(await askPython<Record<string, T>>("/opt/checkdmarc/bin/python", program, input));
}

const PROGRAM = `
import json, sys
import dns.resolver
from dns.nameserver import Do53Nameserver

port, domains = json.loads(sys.stdin.read())

def ask(domain):
    resolver = dns.resolver.Resolver(configure=False)
    resolver.timeout = resolver.lifetime = 1.0
    resolver.nameservers = [Do53Nameserver("127.0.0.1", port)]
    return verdict(domain, resolver=resolver, timeout=1.0, retries=0)

print(json.dumps({domain: ask(domain) for domain in domains}, default=str))
`;
