import { clipText } from "../../shared/clip-json.ts";

/** Results quote third-party texts of any length, and a report contains many of them. */
const MOST_CHARACTERS = 2_000;

/** The text, or its beginning with a mark if it is too long for a report. */
export function boundedText(text: string): string {
  return clipText(text, MOST_CHARACTERS);
}
