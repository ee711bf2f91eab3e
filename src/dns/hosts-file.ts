import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import type { Clock } from "../shared/clock.ts";

/** Addresses of a name in the hosts file, in its order; an unreadable file has none. */
export type HostsFile = (host: string) => Promise<readonly string[]>;

/** Time after which a change is noticed. */
const REMEMBER_MS = 10_000;

/**
 * Parses the hosts file of the operator like the resolver of the system (hosts(5)): an address, then its names; `#` begins a
 * comment.
 */
export function createHostsFile({
  path = "/etc/hosts",
  clock,
}: {
  readonly path?: string;
  readonly clock: Clock;
}): HostsFile {
  let known:
    | { readonly names: Promise<ReadonlyMap<string, readonly string[]>>; readonly atMs: number }
    | undefined;
  return async (host) => {
    const nowMs = clock.monotonicMs();
    if (!known || nowMs - known.atMs >= REMEMBER_MS) {
      const names = readFile(path, "utf8").then(parse, () => new Map<string, string[]>());
      known = { names, atMs: nowMs };
    }
    return (await known.names).get(nameOf(host)) ?? [];
  };
}

function parse(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = (line.split("#", 1)[0] ?? "").trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names.map(nameOf)) {
      const others = found.get(name) ?? [];
      found.set(name, [...others, address]);
    }
  }
  return found;
}

function nameOf(host: string): string {
  return host.toLowerCase().replace(/\.$/, "");
}
