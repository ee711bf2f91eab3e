import { Button } from "@mantine/core";
import type { DmarcFilter, DmarcPage } from "../../api/insights.ts";
import { Answer } from "../../parts/answer.tsx";
import { t } from "../../texts/texts.ts";

interface SummaryProps {
  readonly page: DmarcPage;
  readonly filter: DmarcFilter;
  /** Shows only sources with messages that fail. */
  readonly onFail: () => void;
}

/** The share of messages that fail DMARC, in a sentence. */
export function Summary({ page, filter, onFail }: SummaryProps) {
  const { total, source_count: sources } = page;
  const isFailing = filter.result === "fail";
  return (
    <Answer tone={total.failed > 0 ? "warn" : "ok"}>
      <p role="status">
        <b>
          {total.failed === 0
            ? t.dmarc.allPass(total.messages)
            : t.dmarc.someFail(total.failed, total.messages)}
        </b>
      </p>
      <p>
        {isFailing ? t.dmarc.failingSources(sources) : t.dmarc.sources(sources)}
        {total.overridden > 0 && ` ${t.dmarc.overridden(total.overridden)}`}
      </p>
      {total.failed > 0 && filter.result === undefined && (
        <p className="gap-above">
          <Button variant="default" size="xs" onClick={onFail}>
            {t.dmarc.onlyFailing}
          </Button>
        </p>
      )}
    </Answer>
  );
}
