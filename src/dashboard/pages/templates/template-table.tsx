import { Link } from "@tanstack/react-router";
import type { ListedTemplate } from "../../api/templates.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { TemplateState } from "./template-state.tsx";

const columns: readonly Column<ListedTemplate>[] = [
  {
    heading: t.templates.name,
    cell: ({ name }) => (
      <Link to="/templates/$name" params={{ name }} className="main">
        {name}
      </Link>
    ),
    className: "main",
  },
  {
    heading: t.templates.subject,
    cell: ({ subject }) => subject || t.templates.noSubject,
    className: "grow muted",
  },
  {
    heading: t.templates.state,
    cell: (template) => <TemplateState template={template} isChanged={template.draft_differs} />,
  },
  {
    heading: t.templates.version,
    cell: ({ published_version, published_at }) =>
      published_at ? (
        <>
          {t.templates.versionOf(published_version)}, <Time at={published_at} />
        </>
      ) : (
        t.templates.never
      ),
    className: "muted wide-only",
  },
  {
    heading: t.templates.usedBy,
    cell: ({ name, used_by_count }) =>
      used_by_count > 0 ? (
        <Link to="/templates/$name" params={{ name }} search={{ tab: "use" }} className="link">
          {t.templates.usedByCount(used_by_count)}
        </Link>
      ) : (
        t.templates.unused
      ),
    className: "muted wide-only",
  },
  {
    heading: t.templates.accepted,
    cell: ({ accepted_count }) => (
      <>
        {/* A phone shows no headings. */}
        <span className="narrow-only">{t.templates.accepted}: </span>
        {numberText(accepted_count)}
      </>
    ),
    className: "right num",
  },
];

export function TemplateTable({ templates }: { readonly templates: readonly ListedTemplate[] }) {
  return <Table label={t.templates.title} columns={columns} rows={templates} rowKey={({ name }) => name} />;
}
