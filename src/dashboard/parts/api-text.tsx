import { sentenceText } from "../texts/sentence-text.ts";

interface ApiTextProps {
  /** Parts of the text. Missing or empty: the API has it only in English. */
  readonly parts?: Parameters<typeof sentenceText>[0];
  readonly children: string;
}

/** A text of the API. Screen readers read one without translation in English, also on other pages (WCAG 3.1.2). */
export function ApiText({ parts, children }: ApiTextProps) {
  const translated = sentenceText(parts, "");
  return translated === "" ? <span lang="en">{children}</span> : translated;
}
