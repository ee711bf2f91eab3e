import { Button, Select, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { type PastFilter, type RuleContent, type TrialResult, tryRule } from "../../api/rules.ts";
import { isSame } from "../../parts/drafts/draft-content.ts";
import { faultsOf } from "../../parts/drafts/draft-faults.ts";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { PastResult } from "./past-result.tsx";

interface TryPastProps {
  readonly name: string;
  readonly draft: Draft<RuleContent>;
}

const DAY_MS = 86_400_000;
/** Days of a period. */
const days = { day: 1, week: 7, month: 30 } as const;
const periods = ["last", "day", "week", "month"] as const;
type Period = (typeof periods)[number];
const outcomes = ["unmatched", "routed", "suppressed"] as const;
type Outcome = (typeof outcomes)[number];
const LATEST = 1_000;
/** The largest number of alerts that Hermod tests. */
const MOST = 10_000;

interface Tried {
  readonly content: RuleContent;
  readonly result: TrialResult;
}

/** Shows which past alerts the unsaved rule would match, and the notices that it would have sent. */
export function TryPast({ name, draft }: TryPastProps) {
  const [period, setPeriod] = useState<Period>("week");
  const [outcome, setOutcome] = useState<Outcome>();
  const [source, setSource] = useState("");
  const test = useMutation({
    mutationFn: async ({ content, filter, limit }: ReturnType<typeof asked>): Promise<Tried> => ({
      content,
      result: await tryRule(name, content, filter, limit),
    }),
    // Refused settings are marked in the form too.
    onError: (error) => draft.setFaults(faultsOf(error, "/rule")),
  });

  function asked() {
    const filter: PastFilter = {
      ...(period !== "last" && { from: new Date(Date.now() - days[period] * DAY_MS).toISOString() }),
      ...(outcome && { outcomes: [outcome] }),
      ...(source.trim() && { source: source.trim() }),
    };
    return { content: draft.content, filter, limit: period === "last" ? LATEST : MOST };
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    test.mutate(asked());
  }

  return (
    <>
      <form className="card" aria-label={t.trials.pastTitle} onSubmit={submit}>
        <header>
          <h2>{t.trials.pastTitle}</h2>
        </header>
        <div className="body stack">
          <p className="muted tight">{t.trials.pastDetail}</p>
          <div className="pair">
            <Select
              label={t.trials.period}
              allowDeselect={false}
              data={periods.map((value) => ({ value, label: t.trials.periods[value] }))}
              value={period}
              onChange={(value) => value && setPeriod(value as Period)}
            />
            <Select
              label={t.trials.outcome}
              placeholder={t.trials.anyOutcome}
              clearable
              clearButtonProps={{ "aria-label": t.common.clear(t.trials.outcome) }}
              data={outcomes.map((value) => ({ value, label: t.trials.outcomes[value] }))}
              value={outcome ?? null}
              onChange={(value) => setOutcome(outcomes.find((one) => one === value))}
            />
            <TextInput
              label={t.trials.source}
              placeholder={t.trials.anySource}
              autoComplete="off"
              value={source}
              onChange={({ currentTarget: { value } }) => setSource(value)}
            />
          </div>
          <div className="row">
            <Button
              type="submit"
              variant="default"
              loading={test.isPending}
              disabled={draft.fault !== undefined}
            >
              {t.trials.pastAction}
            </Button>
            <span className="muted" role="status">
              {draft.fault && t.drafts.unreadable}
              {test.isPending && t.trials.testing}
            </span>
          </div>
        </div>
      </form>
      <FormFault error={test.error} />
      {test.data && (
        <PastResult
          name={name}
          result={test.data.result}
          isOutdated={!isSame(test.data.content, draft.content)}
        />
      )}
    </>
  );
}
