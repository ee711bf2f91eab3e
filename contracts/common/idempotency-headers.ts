import { z } from "zod";

/**
 * The header by which a request may be repeated.
 * @param example a key of the operation's
 * @param effect what happens once, as "sends nothing twice"
 */
export const idempotencyHeaders = (example: string, effect: string) =>
  z.object({
    "idempotency-key": z
      .string()
      .optional()
      .meta({
        description: `1 to 255 visible ASCII characters, remembered for 24 hours. A retry with the same key and body answers as the first call did, with \`Idempotent-Replayed: true\`, and ${effect}.`,
        // Documented here, checked in the core, which says what is wrong.
        minLength: 1,
        maxLength: 255,
        pattern: "^[!-~]{1,255}$",
        examples: [example],
      }),
  });
