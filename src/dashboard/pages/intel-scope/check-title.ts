import { ownText } from "../../texts/own-text.ts";
import { t } from "../../texts/texts.ts";

/**
 * The requirement that a check verifies, in the language of the page.
 * @param english text of the API, for checks without a text of the page, such as those of blacklists
 */
export const checkTitle = (checkId: string, english: string): string =>
  ownText(t.server.checkTitles, checkId) ?? english;
