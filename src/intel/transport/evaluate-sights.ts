import type { CheckStatus, Evaluation } from "../check-result.ts";
import type { StartTls } from "../mail-host-probe/mail-host-probe.ts";
import type { Sight } from "./sight.ts";

/** Judgement of one server. For `pass` the text may be empty. */
export interface LabelledJudgement extends Evaluation {
  readonly label: string;
}

/** A known fault ranks before an unknown server. */
const WORST: readonly CheckStatus[] = ["fail", "warn", "error", "not_tested", "pass"];
const MAX_NAMED = 5;
export const NOTHING_WRONG: Evaluation = { status: "pass", observed: "" };

/** Judges each observed server. */
export function evaluateSights(
  sights: readonly Sight[],
  evaluate: (startTls: StartTls, sight: Sight) => Evaluation,
): LabelledJudgement[] {
  return sights.map((sight) => {
    const { label } = sight;
    if ("startTls" in sight) return { label, ...evaluate(sight.startTls, sight) };
    return { label, status: sight.unseen.status, observed: sight.unseen.reason };
  });
}

/**
 * Judges the domain by its worst server, and names it.
 * @param passed beginning of the sentence that names the servers if all of them pass
 */
export function worstOf(all: readonly LabelledJudgement[], passed: string): Evaluation {
  const status = WORST.find((one) => all.some((evaluation) => evaluation.status === one));
  if (status === undefined) return { status: "not_tested", observed: "There is no mail server to check." };
  const worst = all.filter((one) => one.status === status);
  const fix = worst.find((one) => one.fix)?.fix;
  const notes = worst.filter(({ observed }) => observed !== "");
  const texts = limited(byText(notes), " ");
  if (status !== "pass") return { status, observed: texts, ...(fix && { fix }) };
  const labels = limited([...new Set(worst.map(({ label }) => label))], ", ");
  return { status, observed: [`${passed}: ${labels}.`, texts].filter((text) => text !== "").join(" ") };
}

/** Merges servers with the same text. */
function byText(all: readonly LabelledJudgement[]): string[] {
  const labels = new Map<string, string[]>();
  for (const { label, observed } of all) labels.set(observed, [...(labels.get(observed) ?? []), label]);
  return [...labels].map(([observed, servers]) => `${limited([...new Set(servers)], ", ")}: ${observed}`);
}

function limited(texts: readonly string[], separator: string): string {
  const shown = texts.slice(0, MAX_NAMED).join(separator);
  return texts.length > MAX_NAMED ? `${shown}${separator}and ${texts.length - MAX_NAMED} more` : shown;
}
