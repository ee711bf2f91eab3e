import { BarPlot } from "../../parts/bar-plot.tsx";
import { t } from "../../texts/texts.ts";
import { dayText } from "./day-text.ts";

interface DayPlotProps {
  readonly title: string;
  readonly days: readonly { readonly day: string; readonly messages: number; readonly failed: number }[];
  /** Shows the sources of a day. */
  readonly onOpen: (day: string) => void;
}

/** Messages of each day, and those of them that fail DMARC. */
export function DayPlot({ title, days, onOpen }: DayPlotProps) {
  return (
    <BarPlot
      title={title}
      labels={days.map(({ day }) => dayText(day))}
      series={[
        { name: t.dmarc.messages, color: "var(--line-strong)", counts: days.map((one) => one.messages) },
        { name: t.dmarc.failed, color: "var(--bad)", counts: days.map((one) => one.failed) },
      ]}
      onOpen={(index) => {
        const at = days[index]?.day;
        if (at !== undefined) onOpen(at);
      }}
      openLabel={t.dmarc.openDay}
    />
  );
}
