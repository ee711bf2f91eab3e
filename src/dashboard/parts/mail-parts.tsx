import { t } from "../texts/texts.ts";

interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** The header fields of a mail, in its order. */
export function MailHeaders({ fields }: { readonly fields: readonly HeaderField[] }) {
  return (
    <dl className="facts">
      {fields.map(({ name, value }, index) => (
        <div key={index} className="contents">
          <dt>{name}</dt>
          <dd className="mono">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The text body of a mail. */
export function MailText({ text }: { readonly text: string | null }) {
  return <pre className="smtp wrapped">{text || t.message.noText}</pre>;
}

interface MailHtmlProps {
  /** Address of the HTML as an isolated document. */
  readonly address: string;
  /** Width in CSS pixels; undefined: all available space. */
  readonly width?: number | undefined;
  /** Color scheme for the mail; undefined: light. */
  readonly scheme?: "light" | "dark";
  /** Name of the frame; missing: that of a mail. */
  readonly title?: string;
}

/** The HTML body of a mail, or a report, in a frame that cannot run scripts or load resources. */
export function MailHtml({ address, width, scheme = "light", title = t.message.htmlFrame }: MailHtmlProps) {
  return (
    <iframe
      className="preview"
      title={title}
      src={address}
      sandbox=""
      data-scheme={scheme}
      style={{ maxWidth: width, colorScheme: scheme }}
    />
  );
}
