import { z } from "zod";

/**
 * Header that makes a request safe to retry.
 * @param example key for the operation
 * @param effect end of the sentence "A retry ...", such as "sends no second message"
 */
export const idempotencyHeaders = (example: string, effect: string) =>
  z.object({
    "idempotency-key": z
      .string()
      .optional()
      .meta({
        description: `Key of 1 to 255 visible ASCII characters, stored for 24 hours. A retry with the same key and body returns the first response with \`Idempotent-Replayed: true\`, and ${effect}.`,
        // Only documentation: the core checks the key and reports errors.
        minLength: 1,
        maxLength: 255,
        pattern: "^[!-~]{1,255}$",
        examples: [example],
      }),
  });
