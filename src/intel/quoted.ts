import { safeDetail } from "../message/replies/outcome.ts";

/** A hostile zone may have 64 KB. */
const MAX_QUOTED = 200;

/** The beginning of what a stranger publishes, in quotation marks. */
export function quoted(text: string): string {
  return `“${safeDetail(text.slice(0, MAX_QUOTED))}”`;
}
