import { type Blacklist, kindsOf } from "../../src/intel/blacklists/blacklist.ts";
import { blacklists } from "../../src/intel/blacklists/blacklists.ts";
import {
  isOpen,
  type ListSettings,
  type OpenList,
  openLists,
} from "../../src/intel/blacklists/open-lists.ts";
import { queryLabels } from "../../src/intel/blacklists/subject.ts";
import type { DnsName, DnsZones } from "./dns-server.ts";

/** Opens the list with this id. */
export function openBlacklist(id: string, settings: ListSettings = {}): OpenList {
  const list = blacklists.find((one) => one.id === id);
  const [choice] = list ? openLists([list], { [id]: { isRegistered: true, ...settings } }) : [];
  if (!choice || !isOpen(choice)) throw new Error(`The list ${id} is not open.`);
  return choice;
}

/** Query name of a list for an address or a name, including the key. */
export function queryNameOf(open: OpenList, value: string): string {
  return open.secretName(queryLabels(kindOfText(value), value));
}

/**
 * Zone of a working list: the test entries and the given ones by address or name.
 * @param entries a text stands for an A record
 */
export function blacklistZone(
  open: OpenList,
  entries: Readonly<Record<string, string | DnsName>> = {},
): DnsZones {
  const tests = kindsOf(open.list).map((kind) => open.list.tests[kind]?.listed ?? "");
  const all = { ...Object.fromEntries(tests.map((value) => [value, exampleCode(open.list)])), ...entries };
  const named = Object.entries(all).map(([value, entry]) => [
    queryNameOf(open, value),
    typeof entry === "string" ? { A: [entry] } : entry,
  ]);
  // Includes the zone itself, so that other names do not exist.
  return { [open.secretName("ns")]: { A: ["192.0.2.53"] }, ...Object.fromEntries(named) };
}

/** Returns any code of the list. */
export function exampleCode({ codes }: Blacklist): string {
  if (codes.kind === "any") return "127.0.0.2";
  if (codes.kind === "addresses") return Object.keys(codes.meanings)[0] ?? "";
  return `127.0.0.${Object.keys(codes.meanings)[0] ?? ""}`;
}

function kindOfText(value: string): "ip4" | "ip6" | "domain" {
  if (value.includes(":")) return "ip6";
  return /^[\d.]+$/.test(value) ? "ip4" : "domain";
}
