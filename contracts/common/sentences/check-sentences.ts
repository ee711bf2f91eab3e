import { bimiSentences } from "./bimi-sentences.ts";
import { dkimSentences } from "./dkim-sentences.ts";
import { dmarcSentences } from "./dmarc-sentences.ts";
import { hostSentences } from "./host-sentences.ts";
import { spfSentences } from "./spf-sentences.ts";
import { transportSentences } from "./transport-sentences.ts";
import { zoneSentences } from "./zone-sentences.ts";

/** Observed and expected states of checks, and the actions of their fixes. */
export const checkSentences = {
  ...hostSentences,
  ...zoneSentences,
  ...spfSentences,
  ...dkimSentences,
  ...bimiSentences,
  ...dmarcSentences,
  ...transportSentences,
} as const;
