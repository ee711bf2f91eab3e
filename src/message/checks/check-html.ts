import { type Check, checkOf, type Finding } from "./finding.ts";
import { htmlFeatures, mailPrograms } from "./html-support.ts";
import type { ScannedHtml } from "./scan-html.ts";

/** Gmail drops a style sheet beyond this size, and all later ones. */
const GMAIL_STYLE_BYTES = 16 * 1024;

/** HTML and CSS features that mail programs drop. */
export function checkHtml(html: ScannedHtml | null): Check {
  if (html === null) return checkOf("html", [], () => "The mail has no HTML part.");
  const used = htmlFeatures.filter(({ isUsed }) => isUsed(html));
  const findings = used.map(
    ({ code, name, droppedBy, advice, isSevere }): Finding => ({
      code,
      severity: isSevere ? "warning" : "info",
      subject: name,
      message: `${listed(droppedBy.map((program) => mailPrograms[program]))} ${droppedBy.length === 1 ? "drops" : "drop"} it. ${advice}`,
    }),
  );
  const styleBytes = Buffer.byteLength(html.sheets);
  if (styleBytes > GMAIL_STYLE_BYTES) {
    const message = `Gmail drops style sheets of more than ${GMAIL_STYLE_BYTES.toLocaleString("en")} bytes: these have ${styleBytes.toLocaleString("en")}. Shorten them, or move the styles into attributes.`;
    findings.push({ code: "css.too_large", severity: "warning", subject: "<style>", message });
  }
  return checkOf("html", findings, () =>
    findings.length === 0
      ? "The mail uses no features that large mail programs drop."
      : `${findings.length === 1 ? "One feature" : `${findings.length} features`} of HTML or CSS that some large mail programs drop.`,
  );
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}
