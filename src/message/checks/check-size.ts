import { type Check, checkOf, type Finding } from "./finding.ts";

/** Gmail shows this many bytes of an HTML part, and a link to the rest. */
export const GMAIL_CLIP_BYTES = 102 * 1024;
/** From this size on, tracking links or a longer name may exceed the limit. */
const NEAR_CLIP_BYTES = 0.9 * GMAIL_CLIP_BYTES;
/** Gmail and Outlook refuse larger mail. */
const MAX_MAIL_BYTES = 25 * 1024 * 1024;
const SLOW_MAIL_BYTES = 10 * 1024 * 1024;

interface Sizes {
  readonly sourceBytes: number;
  /** Size of the decoded HTML part; null: none. */
  readonly htmlBytes: number | null;
}

/** Compares the size of the mail with the limits of large providers. */
export function checkSize({ sourceBytes, htmlBytes }: Sizes): Check {
  const findings: Finding[] = [];
  if (htmlBytes !== null && htmlBytes > GMAIL_CLIP_BYTES) {
    const message = `Gmail shows the first 102 kB of the HTML and hides the remaining ${kilobytes(htmlBytes - GMAIL_CLIP_BYTES)} behind a link, including unsubscribe links and pixels. Shorten the HTML.`;
    findings.push({ code: "size.clipped", severity: "problem", subject: kilobytes(htmlBytes), message });
  } else if (htmlBytes !== null && htmlBytes > NEAR_CLIP_BYTES) {
    const message = "Gmail hides HTML beyond 102 kB, and this mail is close to the limit. Shorten the HTML.";
    findings.push({
      code: "size.near_clipping",
      severity: "warning",
      subject: kilobytes(htmlBytes),
      message,
    });
  }
  if (sourceBytes > MAX_MAIL_BYTES) {
    const message = "Gmail and Outlook refuse mail of more than 25 MB. Link to large files.";
    findings.push({ code: "size.refused", severity: "problem", subject: kilobytes(sourceBytes), message });
  } else if (sourceBytes > SLOW_MAIL_BYTES) {
    const message = "Many servers refuse mail of more than 10 MB. Link to large files.";
    findings.push({ code: "size.large", severity: "warning", subject: kilobytes(sourceBytes), message });
  }
  const html = htmlBytes === null ? "no HTML" : `${kilobytes(htmlBytes)} of HTML`;
  return checkOf(
    "size",
    findings,
    () => `${kilobytes(sourceBytes)} in total, ${html}. Gmail clips HTML at 102 kB.`,
  );
}

const kilobytes = (bytes: number) =>
  `${(bytes / 1024).toLocaleString("en", { maximumFractionDigits: bytes < 10_240 ? 1 : 0 })} kB`;
