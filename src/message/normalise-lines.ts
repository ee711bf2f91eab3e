// A CR or an LF that stands alone. RFC 5322 section 2.3 forbids both in a body, and hosts disagree on whether they
// end a line, which is what SMTP smuggling lives on (CVE-2023-51764). CRLF pairs are matched to be left alone.
const LINE_END = /\r\n|\r|\n/g;

/** The text with every line end (CRLF, bare CR, bare LF) written as CRLF. Linear; returns `text` itself if clean. */
export function normaliseLines(text: string): string {
  return hasBareLineEnd(text) ? text.replace(LINE_END, "\r\n") : text;
}

function hasBareLineEnd(text: string): boolean {
  for (let lf = text.indexOf("\n"); lf !== -1; lf = text.indexOf("\n", lf + 1)) {
    if (text.charCodeAt(lf - 1) !== 0x0d) return true;
  }
  for (let cr = text.indexOf("\r"); cr !== -1; cr = text.indexOf("\r", cr + 1)) {
    if (text.charCodeAt(cr + 1) !== 0x0a) return true;
  }
  return false;
}
