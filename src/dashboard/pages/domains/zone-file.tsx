import { Button, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { zoneFileQuery } from "../../api/domains.ts";
import { CopyAction } from "../../parts/copy-action.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { saveFile } from "../../parts/save-file.ts";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";

/** The records of a domain as one file, to copy or to save. */
export function ZoneFile({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const query = useQuery(zoneFileQuery(name));
  return (
    <Dialog onClose={onClose} title={t.domains.zoneFile} size="xl">
      <StateView query={query}>
        {(text) => (
          <Stack>
            <p className="muted tight">{t.domains.zoneFileDetail}</p>
            <pre className="smtp zone" tabIndex={0}>
              {text}
            </pre>
            <Group justify="flex-end">
              <CopyAction value={text} />
              <Button onClick={() => saveFile(`${name}.zone`, "text/plain", text)}>
                {t.domains.download}
              </Button>
            </Group>
          </Stack>
        )}
      </StateView>
    </Dialog>
  );
}
