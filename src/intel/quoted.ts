import { safeDetail } from "../message/replies/outcome.ts";

/** A hostile zone may publish 64 KB. */
const MAX_QUOTED = 200;

/** The beginning of a third party's text, in quotation marks. */
export function quoted(text: string): string {
  return `“${quotable(text)}”`;
}

/** The same without quotation marks, for sentences that have them. */
export function quotable(text: string): string {
  return safeDetail(text.slice(0, MAX_QUOTED));
}
