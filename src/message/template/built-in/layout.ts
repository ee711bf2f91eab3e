/**
 * HTML of the built-in templates: nested tables of 600 px with inline styles, because Outlook for Windows lays out only
 * tables, and Gmail ignores the head in some of its programs. The rules in the head are for dark mode and phones: the
 * mail is complete without them. There are no pictures.
 */

const FONT = "font-family:Arial,Helvetica,sans-serif";
/** Dark text on light, so that a mail program that inverts colors itself keeps the contrast. */
const TEXT = `${FONT};font-size:16px;line-height:24px;color:#1f2933`;
const DIM = `${FONT};font-size:13px;line-height:20px;color:#52606d`;
/** Breaks words that are wider than a phone. */
const BREAKS = "word-break:break-word";
const PRESENTATION = `role="presentation" cellpadding="0" cellspacing="0" border="0"`;
const LINE = "border-top:1px solid #d9dee4";
/** Keeps the beginning of the body out of the preview line of mail programs. */
const FILLER = "&#847;&zwnj;&nbsp;".repeat(40);

const STYLES = `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 620px) {
  .inner { padding: 24px 20px !important; }
}
@media (prefers-color-scheme: dark) {
  .page { background-color: #16191d !important; }
  .card { background-color: #1f242a !important; }
  .text { color: #e4e7eb !important; }
  .dim { color: #a3adb8 !important; }
  .line { border-color: #3b444e !important; }
  .link { color: #8ab8f0 !important; }
}`;

interface Mail {
  /** Subject, in Liquid. */
  readonly subject: string;
  /** Text that lists of mail show behind the subject. */
  readonly preheader: string;
  /** HTML of the blocks below. */
  readonly body: readonly string[];
  /** Reason for the mail, as a sentence. */
  readonly reason: string;
}

/** A whole mail, in Liquid. */
export function mailHtml({ subject, preheader, body, reason }: Mail): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>
${STYLES}
</style></head>
<body class="page" style="margin:0;padding:0;background-color:#f3f5f7">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${preheader}${FILLER}</div>
<table ${PRESENTATION} width="100%" class="page" bgcolor="#f3f5f7" style="background-color:#f3f5f7"><tr><td align="center" style="padding:24px 12px">
<!--[if mso]><table ${PRESENTATION} width="600" align="center"><tr><td><![endif]-->
<table ${PRESENTATION} width="100%" style="max-width:600px">
<tr><td style="padding:0 0 16px;${TEXT};font-weight:bold"><a class="text" href="{{ product_url }}" style="color:#1f2933;text-decoration:none">{{ product_name }}</a></td></tr>
<tr><td class="card inner" bgcolor="#ffffff" style="padding:32px;background-color:#ffffff;border-radius:8px">
${body.join("\n")}
</td></tr>
<tr><td class="dim" style="padding:16px 0 0;${DIM};${BREAKS}">${reason} Questions? Write to <a class="link" href="mailto:{{ support_email }}" style="color:#1f4e8c">{{ support_email }}</a>.</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body></html>
`;
}

export function heading(text: string): string {
  return `<h1 class="text" style="margin:0 0 16px;${FONT};font-size:22px;line-height:30px;color:#1f2933;${BREAKS}">${text}</h1>`;
}

export function paragraph(text: string): string {
  return `<p class="text" style="margin:0 0 16px;${TEXT};${BREAKS}">${text}</p>`;
}

/** A paragraph in small letters, for facts that few readers need. */
export function note(text: string): string {
  return `<p class="dim" style="margin:0 0 16px;${DIM};${BREAKS}">${text}</p>`;
}

export function link(href: string, text: string): string {
  return `<a class="link" href="${href}" style="color:#1f4e8c">${text}</a>`;
}

/** The padding is that of the cell: Outlook ignores the padding of a link. */
export function button(href: string, text: string): string {
  return `<table ${PRESENTATION} style="margin:0 0 20px"><tr><td bgcolor="#1f4e8c" style="padding:12px 22px;background-color:#1f4e8c;border-radius:6px"><a href="${href}" style="${FONT};font-size:16px;line-height:20px;font-weight:bold;color:#ffffff;text-decoration:none">${text}</a></td></tr></table>`;
}

/** The address of a button as text, for mail programs that do not open it. */
export function addressOf(href: string): string {
  return note(`If the button does not work, open this address:<br>${link(href, href)}`);
}

/** @param rows HTML of `row`, in Liquid */
export function table(rows: string): string {
  return `<table ${PRESENTATION} width="100%" style="margin:0 0 20px">
${rows}
</table>`;
}

/** A name and a value, side by side. */
export function row(name: string, value: string, { isStrong = false } = {}): string {
  const weight = isStrong ? ";font-weight:bold" : "";
  return `<tr><td class="text line" style="padding:10px 12px 10px 0;${LINE};${TEXT}${weight};${BREAKS}">${name}</td><td class="text line" align="right" valign="top" style="padding:10px 0;${LINE};${TEXT}${weight}">${value}</td></tr>`;
}

/** A heading with a text below, as one of several. */
export function entry(title: string, text: string): string {
  return `<tr><td class="text line" style="padding:12px 0;${LINE};${TEXT};${BREAKS}"><strong>${title}</strong><br>${text}</td></tr>`;
}
