import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import type { TextPreview } from "../../api/templates.ts";
import { MailDocument } from "../../parts/mail-document.tsx";
import { MailHtml } from "../../parts/mail-parts.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { t } from "../../texts/texts.ts";
import { sizeText } from "../messages/size-text.ts";

const widths = { phone: 360, tablet: 600, full: undefined } as const;
type Width = keyof typeof widths;
const forms = ["light", "dark", "text"] as const;
type Form = (typeof forms)[number];

/** The part of a preview that both kinds have. */
type Shown = Pick<
  TextPreview,
  | "from"
  | "subject"
  | "html"
  | "document"
  | "text"
  | "html_bytes"
  | "is_clipped"
  | "faults"
  | "missing_variables"
>;

interface PreviewViewProps {
  readonly preview: Shown;
  /** Address of the HTML, if it is that of a stored text. */
  readonly address?: string;
}

/** A text filled in with data: as phones and desktops show it, in light and dark colors, and as text. */
export function PreviewView({ preview, address }: PreviewViewProps) {
  const { from, subject, html, document, text, html_bytes, is_clipped } = preview;
  const [width, setWidth] = useState<Width>("full");
  const [chosen, setChosen] = useState<Form>("light");
  const form = html === undefined ? "text" : chosen;
  if (subject === undefined) return <Obstacles preview={preview} />;
  return (
    <>
      <div className="row">
        <SegmentedControl
          aria-label={t.templates.form}
          data={forms.map((value) => ({ value, label: t.templates.forms[value] ?? value }))}
          value={form}
          disabled={html === undefined}
          onChange={(value) => setChosen(value as Form)}
        />
        {form !== "text" && (
          <SegmentedControl
            aria-label={t.templates.width}
            data={Object.keys(widths).map((value) => ({ value, label: t.templates.widths[value] ?? value }))}
            value={width}
            onChange={(value) => setWidth(value as Width)}
          />
        )}
      </div>
      <div>
        <b className="wrapped">{subject || t.templates.noSubject}</b>
        {from !== "" && <p className="muted tight">{from}</p>}
      </div>
      {form === "text" && <PlainText text={text} hasHtml={html !== undefined} />}
      {form !== "text" &&
        (address === undefined ? (
          <MailDocument
            key={form}
            title={t.templates.previewFrame}
            html={document ?? ""}
            width={widths[width]}
            scheme={form}
          />
        ) : (
          <MailHtml key={form} address={address} width={widths[width]} scheme={form} />
        ))}
      {html_bytes > 0 && (
        <div className="row">
          <span className="muted">{t.templates.htmlSize(sizeText(html_bytes))}</span>
          <StateBadge tone={is_clipped ? "warn" : "ok"}>
            {is_clipped ? t.templates.clipped : t.templates.notClipped}
          </StateBadge>
        </div>
      )}
    </>
  );
}

function PlainText({ text, hasHtml }: { readonly text: string | undefined; readonly hasHtml: boolean }) {
  if (text) return <pre className="smtp wrapped">{text}</pre>;
  return <p className="muted tight">{hasHtml ? t.templates.noText : t.templates.noBody}</p>;
}

/** The reasons for which nothing was rendered. */
function Obstacles({ preview: { faults, missing_variables } }: { readonly preview: Shown }) {
  const others = faults.filter(({ code }) => code !== "template.variable_missing");
  return (
    <div className="stack">
      <p className="muted tight">{t.templates.cannotFill}</p>
      {missing_variables.length > 0 && (
        <p className="tight">
          {t.templates.missing} <span className="mono">{missing_variables.join(", ")}</span>
        </p>
      )}
      <ul className="code-faults">
        {others.map(({ pointer, line, column, message }) => (
          <li key={`${pointer} ${line} ${column} ${message}`}>
            <b>{placeText(pointer, line, column)}</b> {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

function placeText(pointer: string, line: number, column: number): string {
  const [field = "", ...rest] = pointer.slice(1).split("/");
  const name = [t.templates.faultsOf[field] ?? field, ...rest].join(" / ");
  return line > 0 ? `${name}, ${t.code.at(line, column)}:` : `${name}:`;
}
