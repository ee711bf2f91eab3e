import { codeClasses } from "./replies/code-classes.ts";
import { decisiveText } from "./replies/decisive-text.ts";
import { enhancedCodes } from "./replies/enhanced-codes.ts";
import { generalText } from "./replies/general-text.ts";
import { localFaults } from "./replies/local-faults.ts";
import { providerReplies } from "./replies/provider-replies.ts";
import type { ReplyRule } from "./replies/reply-rule.ts";

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
