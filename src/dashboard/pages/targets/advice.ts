import type { Target, TargetDelivery } from "../../api/targets.ts";
import { sentenceText } from "../../texts/sentence-text.ts";
import { t } from "../../texts/texts.ts";

/** The part of a delivery or of a test that has the result. */
type Attempt = Pick<TargetDelivery, "status" | "detail" | "detail_parts">;

/** Statuses with which chat services answer if the channel, or the URL itself, is gone. */
const GONE = new Set([401, 403, 404, 405, 410]);

/**
 * Remedy for an attempt that the target has not accepted.
 * @param status HTTP status of the answer; 0: there was none
 */
export function adviceFor(kind: Target["kind"], status: number): string {
  const { advice } = t.targets;
  if (status === 0) return advice.noAnswer;
  if (status === 429) return advice.busy;
  if (status >= 500) return advice.broken;
  if (status >= 300 && status < 400) return advice.redirect;
  if (kind === "slack") return GONE.has(status) ? advice.slackGone : advice.slackRefused;
  if (kind === "teams") return GONE.has(status) ? advice.teamsGone : advice.teamsRefused;
  if (status === 401 || status === 403) return advice.signature;
  if (status === 410) return advice.gone;
  return status === 404 || status === 405 ? advice.address : advice.refused;
}

/** The result of an attempt in a few words. */
export const resultText = ({ status, detail, detail_parts }: Attempt): string =>
  status > 0 ? t.targets.answered(status) : sentenceText(detail_parts, detail);
