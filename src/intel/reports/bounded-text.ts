import { clipText } from "../../shared/clip-json.ts";

/** Results quote what strangers publish, which may be long; a report has many of them. */
const MOST_CHARACTERS = 2_000;

/** The text, or its beginning with a mark where it is too long for a report. */
export function boundedText(text: string): string {
  return clipText(text, MOST_CHARACTERS);
}
