import { NO_PHRASE, type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import { type CheckStatus, type Evaluation, observedFields } from "../check-result.ts";
import type { StartTls } from "../mail-host-probe/mail-host-probe.ts";
import type { Sight } from "./sight.ts";

/** Judgement of one server. For `pass` the text may be empty. */
export interface LabelledJudgement extends Evaluation {
  readonly label: string;
}

/** A known fault ranks before an unknown server. */
const WORST: readonly CheckStatus[] = ["fail", "warn", "error", "not_tested", "pass"];
const MAX_NAMED = 5;
export const NOTHING_WRONG: Evaluation = { status: "pass", ...observedFields(NO_PHRASE) };

/** Judges each observed server. */
export function evaluateSights(
  sights: readonly Sight[],
  evaluate: (startTls: StartTls, sight: Sight) => Evaluation,
): LabelledJudgement[] {
  return sights.map((sight) => {
    const { label } = sight;
    if ("startTls" in sight) return { label, ...evaluate(sight.startTls, sight) };
    const { status, reason } = sight.unseen;
    return { label, status, ...observedFields(reason) };
  });
}

/**
 * Judges the domain by its worst server, and names it.
 * @param passed beginning of the sentence that names the servers if all of them pass
 */
export function worstOf(all: readonly LabelledJudgement[], passed: Phrase): Evaluation {
  const status = WORST.find((one) => all.some((evaluation) => evaluation.status === one));
  if (status === undefined)
    return { status: "not_tested", ...observedFields(phrase("transport.no_server_to_check")) };
  const worst = all.filter((one) => one.status === status);
  const fix = worst.find((one) => one.fix)?.fix;
  const texts = byText(worst.filter(({ observed }) => observed !== ""));
  const more = texts.length - MAX_NAMED;
  const notes = phrases(
    ...texts.slice(0, MAX_NAMED),
    more > 0 && phrase("mail_server.more", { count: more }),
  );
  if (status !== "pass") return { status, ...observedFields(notes), ...(fix && { fix }) };
  return { status, ...observedFields(phrases(passed, namesOf(worst), notes)) };
}

/** Merges servers with the same text. */
function byText(all: readonly LabelledJudgement[]): Phrase[] {
  const groups = new Map<string, LabelledJudgement[]>();
  for (const one of all) groups.set(one.observed, [...(groups.get(one.observed) ?? []), one]);
  return [...groups].map(([text, servers]) =>
    phrases(labelOf(servers), { text, parts: servers[0]?.observedParts ?? [] }),
  );
}

function labelOf(all: readonly LabelledJudgement[]): Phrase {
  const { servers, count } = limited(all);
  return count > 0
    ? phrase("mail_server.label_more", { servers, count })
    : phrase("mail_server.label", { servers });
}

function namesOf(all: readonly LabelledJudgement[]): Phrase {
  const { servers, count } = limited(all);
  return count > 0
    ? phrase("mail_server.list_more", { servers, count })
    : phrase("mail_server.list", { servers });
}

/** The first labels, and the number of the others. */
function limited(all: readonly LabelledJudgement[]) {
  const labels = [...new Set(all.map(({ label }) => label))];
  return { servers: labels.slice(0, MAX_NAMED), count: labels.length - MAX_NAMED };
}
