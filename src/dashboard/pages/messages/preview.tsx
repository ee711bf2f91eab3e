import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { messageHtmlAddress } from "../../api/message-contents.ts";
import { MailHtml } from "../../parts/mail-parts.tsx";
import { t } from "../../texts/texts.ts";

const widths = { phone: 375, desktop: undefined } as const;
type Width = keyof typeof widths;
const schemes = ["light", "dark"] as const;
type Scheme = (typeof schemes)[number];

/** The HTML of a message as phones and desktops show it, in light and dark colors. */
export function Preview({ id }: { readonly id: string }) {
  const [width, setWidth] = useState<Width>("desktop");
  const [scheme, setScheme] = useState<Scheme>("light");
  return (
    <>
      <div className="row">
        <SegmentedControl
          aria-label={t.message.width}
          data={Object.keys(widths).map((value) => ({ value, label: t.message.widths[value as Width] }))}
          value={width}
          onChange={(value) => setWidth(value as Width)}
        />
        <SegmentedControl
          aria-label={t.message.colors}
          data={schemes.map((value) => ({ value, label: t.message.colorSchemes[value] }))}
          value={scheme}
          onChange={(value) => setScheme(value as Scheme)}
        />
      </div>
      <MailHtml key={scheme} address={messageHtmlAddress(id)} width={widths[width]} scheme={scheme} />
      <p className="faint tight">{t.message.colorsDetail}</p>
    </>
  );
}
