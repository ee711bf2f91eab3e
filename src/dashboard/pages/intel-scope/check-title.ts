import { ownText } from "../../texts/own-text.ts";
import { t } from "../../texts/texts.ts";

const NO_ENTRY = " has no entry";

/**
 * The requirement that a check verifies, in the language of the page.
 * @param english text of the API, for checks without a text of the page
 */
export const checkTitle = (checkId: string, english: string): string =>
  checkId.startsWith("bl.") && english.endsWith(NO_ENTRY)
    ? t.watches.noEntry(english.slice(0, -NO_ENTRY.length))
    : (ownText(t.server.checkTitles, checkId) ?? english);
