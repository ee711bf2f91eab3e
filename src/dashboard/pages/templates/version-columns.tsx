import { Button, Menu } from "@mantine/core";
import type { TemplateVersion } from "../../api/templates.ts";
import { StateBadge } from "../../parts/state-badge.tsx";
import type { Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";

interface VersionActions {
  readonly mayWrite: boolean;
  /** Number of the version with the open preview. */
  readonly shown: string | undefined;
  readonly onShow: (version: string) => void;
  readonly onCompare: (version: string) => void;
  readonly onPublish: (version: number) => void;
  readonly onRestore: (version: number) => void;
}

/** Columns of the versions of a template. */
export function versionColumns(actions: VersionActions): readonly Column<TemplateVersion>[] {
  const { mayWrite, shown, onShow, onCompare, onPublish, onRestore } = actions;
  return [
    {
      heading: t.templates.version,
      cell: ({ version, published, restored_version }) => (
        <span className="row">
          <b>{t.templates.versionOf(version)}</b>
          {published && <StateBadge tone="ok">{t.templates.current}</StateBadge>}
          {restored_version > 0 && <span className="muted">{t.templates.restored(restored_version)}</span>}
        </span>
      ),
      className: "main",
    },
    {
      heading: t.templates.publishedBy,
      cell: ({ published_by }) => published_by || t.templates.unknownPerson,
      className: "wrap muted",
    },
    {
      heading: t.templates.publishedAt,
      cell: ({ published_at }) => <Time at={published_at} withDay />,
      className: "muted",
    },
    {
      heading: t.common.actions,
      cell: ({ version, published }) => (
        <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <Button variant="default" size="xs" aria-label={t.templates.actionsOf(version)}>
              {t.common.actions}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => onShow(String(version))}>
              {String(version) === shown ? t.templates.hide : t.templates.show}
            </Menu.Item>
            <Menu.Item onClick={() => onCompare(String(version))}>{t.templates.compare}</Menu.Item>
            {mayWrite && !published && (
              <Menu.Item onClick={() => onPublish(version)}>{t.templates.rollBack}</Menu.Item>
            )}
            {mayWrite && <Menu.Item onClick={() => onRestore(version)}>{t.templates.restore}</Menu.Item>}
          </Menu.Dropdown>
        </Menu>
      ),
      className: "right",
    },
  ];
}
