import { Link } from "@tanstack/react-router";
import type { Series } from "../../api/counters.ts";
import type { Installation } from "../../api/installation.ts";
import { Figure } from "../../parts/figure.tsx";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { changeText, endedOf, limitOf, pointsText, rateText, sumsOf } from "./rates.ts";

interface FiguresProps {
  readonly now: readonly Series[];
  /** Undefined if not loaded. */
  readonly before: readonly Series[] | undefined;
  /** Rates that providers publish; undefined if not loaded. */
  readonly limits: Installation["provider_limits"] | undefined;
}

/** The figures of a period, compared with the previous period and the providers' limits. */
export function Figures({ now, before, limits = [] }: FiguresProps) {
  const sums = sumsOf(now);
  const former = before && sumsOf(before);
  const { accepted = 0, delivered = 0, bounced = 0, complained = 0, deferred = 0, captured = 0 } = sums;
  const ended = endedOf(sums);
  const rateChange = (kind: string, wholeOf: (sums: Readonly<Record<string, number>>) => number) =>
    former && pointsText((sums[kind] ?? 0) / wholeOf(sums), (former[kind] ?? 0) / wholeOf(former));
  const deliveredOf = ({ delivered: all = 0 }: Readonly<Record<string, number>>) => all;
  const bounceLimit = limitOf(limits, "bounces");
  const complaintLimit = limitOf(limits, "complaints");
  return (
    <div className="figures">
      <Figure
        label={t.overview.accepted}
        value={numberText(accepted)}
        change={former && changeText(accepted, former.accepted ?? 0)}
        detail={t.overview.before(former?.accepted ?? 0)}
      />
      <Figure
        label={t.overview.delivered}
        value={rateText(delivered, ended)}
        change={rateChange("delivered", endedOf)}
        detail={t.overview.messages(delivered)}
        tone={ended > 0 && delivered / ended > 0.97 ? "ok" : undefined}
      />
      <Figure
        label={t.overview.bounced}
        value={rateText(bounced, ended)}
        change={rateChange("bounced", endedOf)}
        detail={
          bounceLimit ? t.overview.limit(bounceLimit.name, bounceLimit.text) : t.overview.messages(bounced)
        }
        tone={bounceLimit && ended > 0 && bounced / ended >= bounceLimit.rate ? "bad" : undefined}
      />
      <Figure
        label={t.overview.complaints}
        value={rateText(complained, delivered)}
        change={rateChange("complained", deliveredOf)}
        detail={
          complaintLimit
            ? t.overview.limit(complaintLimit.name, complaintLimit.text)
            : t.overview.messages(complained)
        }
        tone={
          complaintLimit && delivered > 0 && complained / delivered >= complaintLimit.rate ? "bad" : undefined
        }
      />
      <Figure
        label={t.overview.deferred}
        value={numberText(deferred)}
        change={former && changeText(deferred, former.deferred ?? 0)}
        detail={
          captured > 0 ? (
            <Link to="/sandbox" className="link">
              {t.overview.captured(captured)}
            </Link>
          ) : (
            t.overview.deferredDetail
          )
        }
      />
    </div>
  );
}
