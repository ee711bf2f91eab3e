import { Progress } from "@mantine/core";
import type { Installation } from "../../api/installation.ts";
import type { Column } from "../../parts/table.tsx";
import { numberText, percentText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";

type Resource = Installation["limits"]["resources"][number];
type Rate = Installation["limits"]["rates"][number];
type ProviderLimit = Installation["provider_limits"][number];

const nameOf = ({ resource }: Resource) => t.limits.names[resource] ?? resource;
/** From this share on, the account should ask the operator for more. */
const NEARLY_FULL = 0.8;

export const resourceColumns: readonly Column<Resource>[] = [
  { heading: t.limits.resource, cell: (row) => <b>{nameOf(row)}</b>, className: "main" },
  {
    heading: t.limits.share,
    cell: (row) => <Share name={nameOf(row)} used={row.used} limit={row.limit} />,
    className: "share",
  },
  { heading: t.limits.used, cell: ({ used }) => numberText(used), className: "right num" },
  { heading: t.limits.limit, cell: ({ limit }) => numberText(limit), className: "right num muted of" },
];

interface ShareProps {
  readonly name: string;
  readonly used: number;
  readonly limit: number;
}

function Share({ name, used, limit }: ShareProps) {
  const share = limit === 0 ? 1 : used / limit;
  return (
    <Progress
      value={Math.min(100, share * 100)}
      color={share >= NEARLY_FULL ? "var(--bad)" : "var(--accent)"}
      aria-label={t.limits.shareOf(name)}
    />
  );
}

export const rateColumns: readonly Column<Rate>[] = [
  {
    heading: t.limits.rate,
    cell: ({ rate }) => <b>{t.limits.rateNames[rate] ?? rate}</b>,
    className: "main",
  },
  {
    heading: t.limits.now,
    cell: ({ used }) => (used === null ? t.limits.unknown : numberText(used)),
    className: "right num",
  },
  {
    heading: t.limits.limit,
    cell: ({ limit, window_seconds }) => t.limits.perWindow(numberText(limit), window_seconds),
    className: "right num muted of",
  },
];

export const providerColumns: readonly Column<ProviderLimit>[] = [
  {
    heading: t.limits.provider,
    cell: ({ provider, source }) => (
      <a href={source} className="link" rel="noreferrer" target="_blank" title={t.limits.sourceOf(provider)}>
        {t.limits.providerNames[provider] ?? provider}
      </a>
    ),
    className: "main",
  },
  { heading: t.limits.measure, cell: ({ measure }) => t.limits.measures[measure] ?? measure },
  { heading: t.limits.level, cell: ({ level }) => t.limits.levels[level] ?? level, className: "muted" },
  {
    heading: t.limits.providerRate,
    cell: ({ rate }) => percentText(rate),
    className: "right num",
  },
];
