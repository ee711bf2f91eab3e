import { type FaultText, say } from "../../shared/fault-text.ts";
/** Reason why a finished message is refused. */
export interface SourceFault {
  readonly ok: false;
  /** A sentence for its sender. */
  readonly message: FaultText;
}

export function sourceFault(message: FaultText): SourceFault {
  return { ok: false, message };
}

/** Checks a message while it arrives, in pieces of any size. */
export interface LineCheck {
  /** Problem of the message up to here. */
  push(chunk: Buffer): SourceFault | undefined;
  /** Call after the last piece. */
  end(): SourceFault | undefined;
}

/** RFC 5322 section 2.1.1, without the CRLF. */
export const MAX_LINE_OCTETS = 998;
const CR = 0x0d;
const LF = 0x0a;

/**
 * Checks that lines end only in CRLF, have at most 998 octets, and contain no NUL: servers interpret anything else differently,
 * which SMTP smuggling exploits (CVE-2023-51764).
 */
export function createLineCheck(): LineCheck {
  let lineOctets = 0;
  let endsInCr = false;

  function push(chunk: Buffer): SourceFault | undefined {
    if (chunk.length === 0) return undefined;
    if (chunk.includes(0)) return sourceFault(say("message_contains_nul"));
    let from = 0;
    if (endsInCr) {
      if (chunk[0] !== LF) return bareCr();
      endsInCr = false;
      lineOctets = 0;
      from = 1;
    }
    while (from < chunk.length) {
      const cr = chunk.indexOf(CR, from);
      const end = cr === -1 ? chunk.length : cr;
      const lf = chunk.indexOf(LF, from);
      if (lf !== -1 && lf < end) return bareLf();
      lineOctets += end - from;
      if (lineOctets > MAX_LINE_OCTETS) return lineTooLong();
      if (end >= chunk.length - 1) {
        endsInCr = cr !== -1;
        return undefined;
      }
      if (lf !== cr + 1) return bareCr();
      lineOctets = 0;
      from = lf + 1;
    }
    return undefined;
  }

  return { push, end: () => (endsInCr ? bareCr() : undefined) };
}

/** The same check for a message in memory. */
export function checkLines(source: Buffer): SourceFault | undefined {
  const check = createLineCheck();
  return check.push(source) ?? check.end();
}

function bareCr(): SourceFault {
  return sourceFault(say("message_contains_cr_without_lf_lines"));
}

function bareLf(): SourceFault {
  return sourceFault(say("message_contains_lf_without_cr_lines"));
}

function lineTooLong(): SourceFault {
  return sourceFault(say("message_line_more_than_octets", { max: MAX_LINE_OCTETS }));
}
