import { safeDetail } from "../message/replies/outcome.ts";

/** A hostile zone may publish 64 KB. */
const MAX_QUOTED = 200;

/** The beginning of a third party's text, for a sentence that quotes it. */
export function quotable(text: string): string {
  return safeDetail(text.slice(0, MAX_QUOTED));
}
