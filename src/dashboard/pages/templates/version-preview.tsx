import { useQuery } from "@tanstack/react-query";
import { documentAddress, versionPreviewQuery } from "../../api/templates.ts";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { PreviewView } from "./preview-view.tsx";

interface VersionPreviewProps {
  readonly name: string;
  readonly version: string;
}

/** A stored version, filled in with the test data. */
export function VersionPreview({ name, version }: VersionPreviewProps) {
  const query = useQuery(versionPreviewQuery(name, version));
  return (
    <section className="stack" aria-label={t.templates.previewOf(version)}>
      <StateView query={query}>
        {(preview) => <PreviewView preview={preview} address={documentAddress(name, version)} />}
      </StateView>
    </section>
  );
}
