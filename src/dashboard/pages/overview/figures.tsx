import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Series } from "../../api/counters.ts";
import { t } from "../../texts/texts.ts";
import { changeText, endedOf, rateText, sumsOf } from "./rates.ts";

interface FiguresProps {
  readonly now: readonly Series[];
  /** Undefined: not loaded yet. */
  readonly before: readonly Series[] | undefined;
}

/** Gmail and Yahoo ask for complaints below 0.3 %, and advise below 0.1 %. */
const COMPLAINTS_ADVISED = 0.001;
const COMPLAINTS_LIMIT = 0.003;
/** Above this, providers begin to slow down or refuse. */
const BOUNCES_LIMIT = 0.02;

/** The figures of a period. */
export function Figures({ now, before }: FiguresProps) {
  const sums = sumsOf(now);
  const { accepted = 0, delivered = 0, bounced = 0, complained = 0, deferred = 0, captured = 0 } = sums;
  const ended = endedOf(sums);
  const change = before && changeText(accepted, sumsOf(before).accepted ?? 0);
  return (
    <div className="figures">
      <Figure label={t.overview.accepted} value={accepted.toLocaleString("en")} detail={change ?? ""} />
      <Figure
        label={t.overview.delivered}
        value={rateText(delivered, ended)}
        detail={t.overview.messages(delivered)}
        tone={ended > 0 && delivered / ended > 0.97 ? "ok" : undefined}
      />
      <Figure
        label={t.overview.bounced}
        value={rateText(bounced, ended)}
        detail={t.overview.bounceLimit}
        tone={ended > 0 && bounced / ended > BOUNCES_LIMIT ? "bad" : undefined}
      />
      <Figure
        label={t.overview.complaints}
        value={rateText(complained, delivered)}
        detail={t.overview.complaintLimit}
        tone={complaintTone(complained, delivered)}
      />
      <Figure
        label={t.overview.deferred}
        value={deferred.toLocaleString("en")}
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

function complaintTone(complained: number, delivered: number): "warn" | "bad" | undefined {
  if (delivered === 0) return undefined;
  if (complained / delivered > COMPLAINTS_LIMIT) return "bad";
  return complained / delivered > COMPLAINTS_ADVISED ? "warn" : undefined;
}

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly detail: ReactNode;
  readonly tone?: "ok" | "warn" | "bad" | undefined;
}

function Figure({ label, value, detail, tone }: FigureProps) {
  return (
    <div className="card figure">
      <div className="faint">{label}</div>
      <div className={`value ${tone ?? ""}`}>{value}</div>
      <div className="detail">{detail}</div>
    </div>
  );
}
