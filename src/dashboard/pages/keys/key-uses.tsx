import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyUses as DayUses, keyUsesQuery, USE_DAYS } from "../../api/keys.ts";
import { BarPlot } from "../../parts/bar-plot.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { dateLocale } from "../../texts/language.ts";
import { t } from "../../texts/texts.ts";

const DAY_MS = 86_400_000;
const surfaces = [
  ["http", "var(--accent)"],
  ["smtp", "var(--warn)"],
  ["grpc", "var(--muted)"],
] as const;
const dayText = new Intl.DateTimeFormat(dateLocale, { day: "numeric", month: "short", timeZone: "UTC" });

/** Use of a key by day. A bar opens the requests of its day. */
export function KeyUses({ keyId }: { readonly keyId: string }) {
  const navigate = useNavigate();
  const query = useQuery(keyUsesQuery(keyId));
  return (
    <StateView
      query={query}
      empty={{
        when: ({ data }) => data.length === 0,
        view: (
          <div className="card notice">
            <span className="muted">{t.keys.noUses}</span>
          </div>
        ),
      }}
    >
      {({ data }) => {
        const days = lastDays();
        const byDay = new Map(data.map((one) => [one.day, one]));
        const countsOf = (surface: keyof Omit<DayUses, "day">) =>
          days.map((day) => byDay.get(day)?.[surface] ?? 0);
        const used = surfaces
          .map(([surface, color]) => ({
            name: t.keys.surfaces[surface] ?? surface,
            color,
            counts: countsOf(surface),
          }))
          .filter(({ counts }) => counts.some((count) => count > 0));
        return (
          <BarPlot
            title={t.keys.uses}
            labels={days.map((day) => dayText.format(new Date(day)))}
            series={used}
            onOpen={(index) => {
              const from = days[index];
              if (from === undefined) return;
              const until = new Date(new Date(from).getTime() + DAY_MS).toISOString();
              const search = { key_id: keyId, from: new Date(from).toISOString(), until };
              void navigate({ to: "/requests", search });
            }}
            openLabel={t.keys.openDay}
          />
        );
      }}
    </StateView>
  );
}

/** The days of the plot (UTC), such as `2026-11-22`, oldest first. */
function lastDays(): string[] {
  const now = Date.now();
  return Array.from({ length: USE_DAYS }, (_, index) =>
    new Date(now - (USE_DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}
