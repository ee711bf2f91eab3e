import type { DomainRole } from "../catalogue.ts";
import type { Fix } from "../check-result.ts";
import type { ProbeDns } from "../probe-dns.ts";
import { hasAddress } from "./address-set.ts";
import { evaluateSpf } from "./evaluate-spf.ts";
import { type DraftOptions, draftRepair, formatDraft, type SpfDraft, type SpfText } from "./repair-spf.ts";
import { shorten, shownPath } from "./shown-terms.ts";
import { MAX_LOOKUPS, MAX_VOIDS } from "./spf-term.ts";
import type { SpfNode, SpfTree } from "./spf-tree.ts";
import { walkText } from "./walk-spf.ts";

/** A record to publish, or the reason why none is proposed. */
export type SpfRepair =
  | { readonly kind: "record"; readonly value: string; readonly note: string; readonly lookups: number }
  | { readonly kind: "none"; readonly reason: string };

export interface RepairedDomain {
  readonly domain: string;
  readonly role: DomainRole;
  /** Known sending addresses of the domain. */
  readonly sendingIps: readonly string[];
  readonly dns: ProbeDns;
}

const NOBODY_SENDS = "v=spf1 -all";
const MAX_NAMED = 5;
const ADVICE = "Set the domain's sending_ips to have its addresses listed, or correct the record by hand.";

/**
 * The record that can replace these. It is proposed only after its walk, and only if:
 *
 * - receivers can use it: no fault, at most ten lookups and two void lookups, and not nearly all addresses of a
 *   family allowed
 * - every term that allows senders is kept or corrected; a removed term is replaced with the known sending addresses
 * - each known sending address passes, and at least one sender is allowed
 */
export async function offerRepair(
  records: readonly SpfText[],
  { domain, role, sendingIps, dns }: RepairedDomain,
  options: Pick<DraftOptions, "withoutPtr"> = {},
): Promise<SpfRepair> {
  if (role === "parked") {
    if (sendingIps.length === 0) return { kind: "record", value: NOBODY_SENDS, note: "", lookups: 0 };
    return {
      kind: "none",
      reason:
        "The role of the domain declares that it sends no mail, but it has sending_ips. Remove them, or set the role to sending.",
    };
  }
  let reason: string | undefined;
  for (const withIgnored of [true, false]) {
    const draft = draftRepair(records, { ...options, withIgnored });
    const problem = whyNotOffered(draft, sendingIps);
    const checked: Checked =
      problem === undefined ? await check(draft, { domain, role, sendingIps, dns }) : { problem };
    if ("value" in checked) {
      const { value, lookups, added } = checked;
      return { kind: "record", value, lookups, note: noteOf(draft, added) };
    }
    reason ??= checked.problem;
  }
  return { kind: "none", reason: reason ?? ADVICE };
}

/** A sentence with the required action, and the record if one is proposed. */
export function fixOf(repair: SpfRepair, domain: string, text: string, published?: string): Fix {
  if (repair.kind === "none") return { text: `Hermod proposes no record. ${repair.reason}` };
  const whole = [text, repair.note].filter(Boolean).join(" ");
  if (repair.value === published) return { text: whole };
  return { record: { name: domain, type: "TXT", value: repair.value }, text: whole };
}

/** Known addresses that SPF does not let pass. */
export async function refusedAddresses(
  tree: Pick<SpfTree, "nodes">,
  root: SpfNode,
  { sendingIps, dns }: Pick<RepairedDomain, "sendingIps" | "dns">,
): Promise<string[]> {
  const refused: string[] = [];
  for (const address of sendingIps) {
    if (hasAddress(root.passing, address)) continue;
    const { result } = await evaluateSpf(root, { nodes: tree.nodes, address, dns });
    if (result !== "pass") refused.push(address);
  }
  return refused;
}

function whyNotOffered({ lost }: SpfDraft, sendingIps: readonly string[]): string | undefined {
  const forbidding = lost.find(({ forbids }) => forbids);
  if (forbidding)
    return `${shorten(forbidding.text)} cannot stay because ${forbidding.reason}. Correct it by hand.`;
  const [first] = lost;
  if (!first || sendingIps.length > 0) return undefined;
  return `${shorten(first.text)} cannot stay because ${first.reason}, and its intended senders are unknown. ${ADVICE}`;
}

type Checked =
  | { readonly value: string; readonly lookups: number; readonly added: readonly string[] }
  | { readonly problem: string };

async function check(draft: SpfDraft, domain: RepairedDomain): Promise<Checked> {
  const { role, sendingIps, dns } = domain;
  const walk = (one: SpfDraft, added: readonly string[]) =>
    walkText(domain.domain, formatDraft(one, added), dns);
  let checked = draft;
  let tree = await walk(checked, []);
  if (isBeyondLimits(tree)) {
    // Names without records allow no sender, and cost lookups.
    checked = withoutVoids(draft, tree);
    tree = await walk(checked, []);
  }
  const problem = whyUnusable(tree);
  if (problem !== undefined || !tree.root) return { problem: problem ?? ADVICE };
  const added = await refusedAddresses(tree, tree.root, { sendingIps, dns });
  if (added.length > 0) tree = await walk(checked, added);
  const { root } = tree;
  if (!root || (await refusedAddresses(tree, root, { sendingIps, dns })).length > 0)
    return { problem: `Not every sending address would pass. ${ADVICE}` };
  if (role === "sending" && !allowsSomebody(root))
    return {
      problem: `The record would allow no sender, but the domain sends mail. ${ADVICE}`,
    };
  return { value: root.text, lookups: root.lookups, added };
}

function isBeyondLimits({ root }: SpfTree): boolean {
  return root !== undefined && (root.lookups > MAX_LOOKUPS || root.voids > MAX_VOIDS);
}

function withoutVoids(draft: SpfDraft, { root }: SpfTree): SpfDraft {
  const voids = new Set(root?.branches.filter(({ state }) => state === "void").map(({ text }) => text));
  return { ...draft, mechanisms: draft.mechanisms.filter(({ text }) => !voids.has(text)) };
}

/** Why receivers could not use a record; undefined: they can. */
function whyUnusable(tree: SpfTree): string | undefined {
  const { root, findings } = tree;
  const of = (...kinds: string[]) => findings.find(({ kind }) => kinds.includes(kind));
  const unknown = of("unknown");
  if (unknown) return `${unknown.message} Check the domain again later.`;
  const wrong = of("fault", "doubt", "missing", "several", "loop", "exchanges");
  if (wrong) {
    const position = shownPath([...wrong.trail, wrong.text]);
    return `${position} has to be corrected first. ${wrong.message}`;
  }
  if (!root || root.lookups > MAX_LOOKUPS)
    return `The record needs ${root?.lookups ?? "too many"} DNS lookups, but only ten are allowed.`;
  if (root.voids > MAX_VOIDS) return "More than two of its lookups find no records.";
  if (root.open !== undefined) return `${shorten(root.open)} allows nearly all senders. ${ADVICE}`;
  return undefined;
}

/** Whether a sender passes: an address by its number, or a host that `a`, `mx` or another lookup finds. */
function allowsSomebody(root: SpfNode): boolean {
  return root.passing.ip4.length > 0 || root.passing.ip6.length > 0 || leadsToHosts(root);
}

function leadsToHosts({ branches }: SpfNode): boolean {
  return branches.some(({ kind, text, state, node }) => {
    if (/^[-~?]/.test(text) || (state !== "found" && state !== "varies")) return false;
    const isRecord = kind === "include" || kind === "redirect";
    return state === "varies" || !isRecord || (node !== undefined && leadsToHosts(node));
  });
}

function noteOf({ corrected, lost }: SpfDraft, added: readonly string[]): string {
  const corrections = corrected.map(([from, to]) => `${shorten(from)} becomes ${shorten(to)}`);
  const left = lost.map(({ text, reason }) => `${shorten(text)} is removed because ${reason}`);
  const listed = added.length > 0 ? [`the sending addresses ${limited(added)} are listed`] : [];
  const all = [...corrections, ...left, ...listed];
  if (all.length === 0) return "";
  const text = limited(all, "; ");
  return `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}

function limited(texts: readonly string[], separator = ", "): string {
  const more = texts.length > MAX_NAMED ? [`and ${texts.length - MAX_NAMED} more`] : [];
  return [...texts.slice(0, MAX_NAMED), ...more].join(separator);
}
