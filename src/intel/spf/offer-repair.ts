import { NO_PHRASE, type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import type { DomainRole } from "../catalogue.ts";
import { type Fix, fixFields } from "../check-result.ts";
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
  | { readonly kind: "record"; readonly value: string; readonly note: Phrase; readonly lookups: number }
  | { readonly kind: "none"; readonly reason: Phrase };

export interface RepairedDomain {
  readonly domain: string;
  readonly role: DomainRole;
  /** Known sending addresses of the domain. */
  readonly sendingIps: readonly string[];
  readonly dns: ProbeDns;
}

const NOBODY_SENDS = "v=spf1 -all";
const MAX_NAMED = 5;
const ADVICE = phrase("spf.advice");

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
    if (sendingIps.length === 0) return { kind: "record", value: NOBODY_SENDS, note: NO_PHRASE, lookups: 0 };
    return { kind: "none", reason: phrase("spf.parked_sending_ips") };
  }
  let reason: Phrase | undefined;
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
export function fixOf(repair: SpfRepair, domain: string, text: Phrase, published?: string): Fix {
  if (repair.kind === "none") return fixFields(phrases(phrase("spf.no_proposal"), repair.reason));
  const whole = fixFields(phrases(text, repair.note));
  if (repair.value === published) return whole;
  return { record: { name: domain, type: "TXT", value: repair.value }, ...whole };
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

function whyNotOffered({ lost }: SpfDraft, sendingIps: readonly string[]): Phrase | undefined {
  const forbidding = lost.find(({ forbids }) => forbids);
  if (forbidding)
    return phrase("spf.cannot_stay", { term: shorten(forbidding.text), reason: forbidding.reason });
  const [first] = lost;
  if (!first || sendingIps.length > 0) return undefined;
  const { text, reason } = first;
  return phrases(phrase("spf.cannot_stay_senders", { term: shorten(text), reason }), ADVICE);
}

type Checked =
  | { readonly value: string; readonly lookups: number; readonly added: readonly string[] }
  | { readonly problem: Phrase };

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
    return { problem: phrases(phrase("spf.not_every_passes"), ADVICE) };
  if (role === "sending" && !allowsSomebody(root))
    return { problem: phrases(phrase("spf.allows_none"), ADVICE) };
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
function whyUnusable({ root, findings }: SpfTree): Phrase | undefined {
  const of = (...kinds: string[]) => findings.find(({ kind }) => kinds.includes(kind));
  const unknown = of("unknown");
  if (unknown) return phrases(unknown.message, phrase("spf.check_later"));
  const wrong = of("fault", "doubt", "missing", "several", "loop", "exchanges");
  if (wrong) {
    const path = shownPath([...wrong.trail, wrong.text]);
    return phrases(phrase("spf.correct_first", { path }), wrong.message);
  }
  if (!root) return ADVICE;
  if (root.lookups > MAX_LOOKUPS) return phrase("spf.draft_lookups", { count: root.lookups });
  if (root.voids > MAX_VOIDS) return phrase("spf.draft_voids");
  if (root.open !== undefined)
    return phrases(phrase("spf.draft_open", { terms: shorten(root.open) }), ADVICE);
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

/** The changes of a draft, as one sentence with semicolons. */
function noteOf({ corrected, lost }: SpfDraft, added: readonly string[]): Phrase {
  const total = corrected.length + lost.length + (added.length > 0 ? 1 : 0);
  const changes: ((end: string) => Phrase)[] = [
    ...corrected.map(
      ([from, to]) =>
        (end: string) =>
          phrase("spf.note_corrected", { from: shorten(from), to: shorten(to), end }),
    ),
    ...lost.map(
      ({ text, reason }) =>
        (end: string) =>
          phrase("spf.note_removed", { term: shorten(text), reason, end }),
    ),
  ];
  if (added.length > 0) {
    const code = total === 1 ? "spf.note_listed" : "spf.note_listed_too";
    changes.push((end) => phrase(code, { addresses: added, end }));
  }
  const shown = changes.slice(0, MAX_NAMED);
  return phrases(
    ...shown.map((change, index) => change(index + 1 < total ? ";" : ".")),
    total > MAX_NAMED && phrase("spf.more", { more: total - MAX_NAMED, rest: "." }),
  );
}
