import { codeClasses } from "./code-classes.ts";
import { decisiveText } from "./decisive-text.ts";
import { enhancedCodes } from "./enhanced-codes.ts";
import { generalText } from "./general-text.ts";
import { localFaults } from "./local-faults.ts";
import { providerReplies } from "./provider-replies.ts";
import type { ReplyRule } from "./reply-rule.ts";

/**
 * Every rule, the first that matches decides: one provider's own words, words that outweigh a code, then the enhanced
 * code, then the text, then the code's class.
 */
export const replyRules: readonly ReplyRule[] = [
  ...localFaults,
  ...providerReplies,
  ...decisiveText,
  ...enhancedCodes,
  ...generalText,
  ...codeClasses,
];
