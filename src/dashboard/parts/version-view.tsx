import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { SettingVersion } from "../api/setting-versions.ts";
import { t } from "../texts/texts.ts";

/** The open version of a list. */
export interface OpenVersion {
  readonly version: SettingVersion;
  /** Number of the present state; undefined if the list has not loaded it. */
  readonly current: number | undefined;
  readonly onCompare: (pair: { readonly before: number; readonly after: number }) => void;
}

interface VersionViewProps extends OpenVersion {
  /** Settings of the version, without secrets. */
  readonly content: object;
  /** Shows the dialog that restores the version. Undefined: the user may not restore it. */
  readonly restoration: ((onClose: () => void) => ReactNode) | undefined;
}

/** The settings of an open version as JSON, and its actions. */
export function VersionView({ version, current, onCompare, content, restoration }: VersionViewProps) {
  const { version: number, current: isCurrent } = version;
  const [isRestoring, setRestoring] = useState(false);
  return (
    <>
      <div className="row">
        {number > 1 && (
          <Button
            variant="default"
            size="xs"
            onClick={() => onCompare({ before: number - 1, after: number })}
          >
            {t.versions.itsChanges}
          </Button>
        )}
        {!isCurrent && current !== undefined && (
          <Button variant="default" size="xs" onClick={() => onCompare({ before: number, after: current })}>
            {t.versions.compareCurrent}
          </Button>
        )}
        {!isCurrent && restoration && (
          <Button variant="default" size="xs" onClick={() => setRestoring(true)}>
            {t.versions.restore}
          </Button>
        )}
      </div>
      <pre className="smtp wrapped">{JSON.stringify(content, null, 2)}</pre>
      {isRestoring && restoration?.(() => setRestoring(false))}
    </>
  );
}
