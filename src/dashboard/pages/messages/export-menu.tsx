import { Button, Menu } from "@mantine/core";
import { exportAddress, type MessageFilter } from "../../api/messages.ts";
import { t } from "../../texts/texts.ts";

const formats = ["csv", "ndjson"] as const;

/** Saves all messages that match the filters as a file. */
export function ExportMenu({ filter }: { readonly filter: MessageFilter }) {
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="default">{t.messages.export}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map((format) => (
          <Menu.Item key={format} component="a" href={exportAddress(filter, format)} download>
            {t.messages.exportAs[format]}
          </Menu.Item>
        ))}
        <Menu.Label>{t.messages.exportDetail}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}
