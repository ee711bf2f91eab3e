import { Progress } from "@mantine/core";
import type { Watch } from "../../api/watches.ts";
import { Answer } from "../../parts/answer.tsx";
import { ApiText } from "../../parts/api-text.tsx";
import { FormFault } from "../../parts/form-fault.tsx";
import { Time } from "../../parts/time.tsx";
import { ownText } from "../../texts/own-text.ts";
import { t } from "../../texts/texts.ts";
import { watchTone } from "./watch-state.tsx";

interface SummaryProps {
  readonly watch: Watch;
  readonly check: { readonly isPending: boolean; readonly error: Error | null };
}

/** The score of a domain, what limits it, and the progress of a running check. */
export function Summary({ watch, check }: SummaryProps) {
  const { status, score, grade, score_delta_7d: delta, score_details: details, checked_at: at } = watch;
  const { paused, last_error: incomplete, next_check_at: next } = watch;
  const cap = details?.caps.find(({ limit }) => score !== null && limit <= score);
  return (
    <>
      <Answer tone={watchTone(status)}>
        <p>
          <b>{score === null ? t.watches.isPending : t.watches.is(score, grade)}</b>
          {delta !== null && delta !== 0 && `, ${t.watches.deltaOf(delta)}`}
        </p>
        {score === null && !paused && <p>{t.watches.isPendingDetail}</p>}
        {score !== null && grade === null && <p>{t.watches.provisional}</p>}
        {cap && (
          <p>
            {t.watches.capped(cap.limit)}{" "}
            {ownText(t.server.scoreCaps, cap.id) ?? <ApiText>{cap.reason}</ApiText>}
          </p>
        )}
        {paused && (
          <p>
            {t.watches.isPaused} {t.watches.isPausedDetail}
          </p>
        )}
        {incomplete && (
          <p>
            {t.watches.incomplete} <ApiText parts={watch.last_error_parts}>{incomplete}</ApiText>
          </p>
        )}
        {at && (
          <p className="muted">
            {t.watches.checkedAt} <Time at={at} withDay />
            {next && (
              <>
                , {t.watches.nextCheck} <Time at={next} withDay />
              </>
            )}
          </p>
        )}
        <CheckProgress watch={watch} isRequested={check.isPending} />
      </Answer>
      <FormFault error={check.error} />
    </>
  );
}

interface CheckProgressProps {
  readonly watch: Watch;
  readonly isRequested: boolean;
}

/** The groups of checks that a running check has finished. */
function CheckProgress({ watch: { checking }, isRequested }: CheckProgressProps) {
  if (!checking && !isRequested) return null;
  const { done, total } = checking ?? { done: [], total: 0 };
  return (
    <div role="status" className="gap-above">
      <p>
        <b>{t.watches.checking}</b> {total > 0 && t.watches.progress(done.length, total)}
      </p>
      <Progress
        value={total === 0 ? 5 : 5 + (95 * done.length) / total}
        animated
        size="xs"
        mt={8}
        aria-label={t.watches.checking}
      />
      {done.length > 0 && (
        <p className="muted">{done.map((part) => t.watches.groups[part] ?? part).join(", ")}</p>
      )}
    </div>
  );
}
