import { Link } from "@tanstack/react-router";
import type { Watch, WatchCheck } from "../../api/watches.ts";
import { ApiText } from "../../parts/api-text.tsx";
import { CopyField } from "../../parts/copy-field.tsx";
import { Fact } from "../../parts/fact.tsx";
import { Time, timeText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { Evidence } from "./evidence.tsx";
import { MuteButton } from "./mute-check.tsx";

interface CheckDetailsProps {
  readonly watch: Watch;
  readonly check: WatchCheck;
  /** Points that the repair gains; undefined if they are not known. */
  readonly gain?: number | undefined;
}

/** The result of a check, the record that repairs it, and the answers that it is based on. */
export function CheckDetails({ watch, check, gain }: CheckDetailsProps) {
  const { id, observed, expected, fix, since, severity, muted_until: muted, evidence, reference } = check;
  const isFinding = severity !== null;
  return (
    <div className="stack">
      <dl className="facts">
        <Fact name={t.watches.observed}>
          <ApiText parts={check.observed_parts}>{observed}</ApiText>
        </Fact>
        {expected !== "" && (
          <Fact name={t.watches.expected}>
            <ApiText parts={check.expected_parts}>{expected}</ApiText>
          </Fact>
        )}
        {fix && isFinding && (
          <Fact name={t.watches.repair}>
            <ApiText parts={fix.text_parts}>{fix.text}</ApiText>
          </Fact>
        )}
      </dl>
      {fix?.record && isFinding && (
        <div className="record">
          <CopyField label={t.watches.recordName(fix.record.type)} value={fix.record.name} />
          <CopyField label={t.watches.recordValue} value={fix.record.value} />
          <CopyField label={t.watches.zoneLine} value={fix.record.zone_file} />
        </div>
      )}
      {gain !== undefined && (
        <p className="tight">{gain > 0 ? t.watches.after(gain, watch.score) : t.watches.afterNothing}</p>
      )}
      {check.unconfirmed_status && <p className="muted tight">{t.watches.unconfirmed}</p>}
      {muted && <p className="muted tight">{t.watches.mutedUntil(timeText(muted, new Date(), true))}</p>}
      <Evidence evidence={evidence} />
      <div className="spread">
        <span className="faint">
          {t.watches.since} <Time at={since} withDay />, {reference}, <span className="mono">{id}</span>
        </span>
        {isFinding && (
          <span className="row">
            <Link
              to="/intel/checks"
              search={{ check: id, workspace_id: watch.workspace_id }}
              className="link"
            >
              {t.watches.otherDomains}
            </Link>
            {!muted && <MuteButton watch={watch} check={check} />}
          </span>
        )}
      </div>
    </div>
  );
}
