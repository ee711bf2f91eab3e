import { Button, Menu } from "@mantine/core";
import { type AuditFilter, auditExportAddress } from "../../api/audits.ts";
import { t } from "../../texts/texts.ts";

const DAY_MS = 86_400_000;
const spans = [
  [7, t.audit.exportWeek],
  [30, t.audit.exportMonth],
] as const;

/** Saves entries of a span, or all entries that match the filters, as a file. */
export function AuditExport({ filter }: { readonly filter: AuditFilter }) {
  const isFiltered = Object.values(filter).some(Boolean);
  const since = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="default">{t.audit.export}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {spans.map(([days, label]) => (
          <Menu.Item key={days} component="a" href={auditExportAddress({ from: since(days) })} download>
            {label}
          </Menu.Item>
        ))}
        <Menu.Item component="a" href={auditExportAddress(filter)} download>
          {isFiltered ? t.audit.exportShown : t.audit.exportAll}
        </Menu.Item>
        <Menu.Label>{t.audit.exportDetail}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}
