import type { Explanation } from "../../api/policies.ts";
import { spanText } from "../../parts/time.tsx";
import { reasonText } from "../../texts/sentence-text.ts";
import { t } from "../../texts/texts.ts";

/** A part of an answer: a transport, or one of the settings. */
export interface ExplainedPart {
  readonly id: string;
  readonly label: string;
  /** Sentences of the answer. */
  readonly lines: readonly string[];
}

type Explained = Omit<Explanation, "attempted">;
type Transport = Explained["transports"][number];

const settings = [
  "limits",
  "retry",
  "priority",
  "source",
  "list_unsubscribe",
  "tracking",
  "suppression",
] as const;

/** The parts of an answer in the order in which they matter: the rule, the transports, the settings. */
export function explainedParts(explained: Explained): ExplainedPart[] {
  return [
    { id: "rule", label: label("rule"), lines: [reasonText(explained.rule)] },
    ...explained.transports.map((transport, index) => ({
      id: `transport ${index}`,
      label: t.policies.transport(index + 1),
      lines: [transportTitle(transport), reasonText(transport), ...foundLines(transport)],
    })),
    ...settings.map((name) => ({ id: name, label: label(name), lines: linesOf(explained, name) })),
  ];
}

const label = (name: string) => t.policies.explained[name] ?? name;

/** A transport with its servers and ports. */
export function transportTitle({ kind, servers, username }: Transport): string {
  if (kind !== "smtp") return `${t.policies.kinds[kind] ?? kind}.`;
  const shown = servers.map(({ host, port }) => `${host}:${port}`).join(", ");
  return username === "" ? `${t.policies.relayBy(shown)}.` : `${t.policies.relayBy(shown)}, ${username}.`;
}

function foundLines({ found }: Transport): string[] {
  if (!found) return [];
  const hosts = found.hosts.map(
    ({ exchange, preference, addresses, ...because }) =>
      `${t.policies.foundHost(exchange, preference, addresses.join(", "))} ${reasonText(because)}`,
  );
  const unusable = found.unusable.length === 0 ? [] : [t.policies.unusable(found.unusable.join(", "))];
  return [reasonText(found), ...hosts, ...unusable];
}

const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

function linesOf(explained: Explained, name: (typeof settings)[number]): string[] {
  const reason = reasonText(explained[name]);
  if (name !== "retry") return [reason];
  const { waits_seconds: waits, attempts, expires_at } = explained.retry;
  const begin = attempts[0]?.at;
  const age = begin === undefined ? undefined : new Date(expires_at).getTime() - new Date(begin).getTime();
  return [
    t.policies.waitsShown(waits.map((seconds) => spanText(seconds * 1_000)).join(", ")),
    ...(age === undefined ? [] : [t.policies.expiresAfter(spanText(age))]),
    reason,
  ];
}

/** Both answers side by side: the parts of one that the other lacks have no other side. */
export interface PartPair {
  readonly id: string;
  readonly label: string;
  readonly stored: string | undefined;
  readonly unsaved: string | undefined;
  readonly differs: boolean;
}

export function pairsOf(stored: Explained, unsaved: Explained): PartPair[] {
  const [left, right] = [explainedParts(stored), explainedParts(unsaved)];
  const ids = [...new Set([...left, ...right].map(({ id }) => id))];
  const pairs = ids.map((id) => {
    const [one, other] = [left.find((part) => part.id === id), right.find((part) => part.id === id)];
    const [before, after] = [one?.lines.join("\n"), other?.lines.join("\n")];
    return {
      id,
      label: one?.label ?? other?.label ?? id,
      stored: before,
      unsaved: after,
      differs: withoutTimes(before) !== withoutTimes(after),
    };
  });
  // A transport that only the second answer has belongs to the other transports.
  return pairs.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** The answers were given one after the other: their times differ without a reason. */
const withoutTimes = (text: string | undefined) => text?.replaceAll(TIME, "");

function rankOf({ id }: PartPair): number {
  if (id === "rule") return 0;
  return id.startsWith("transport ") ? 1 : 2;
}
