import { z } from "zod";

/** What the resources of the dashboard share. */

export const moment = (description: string, example = "2026-11-22T09:30:00.000Z") =>
  z.string().meta({ description, format: "date-time", examples: [example] });

export const accountId = z
  .string()
  .meta({ description: "Id of the account.", examples: ["acc_01k9z4c3r8h2v6y0n5t7w1x3q9"] });

export const userId = z
  .string()
  .meta({ description: "Id of the user.", examples: ["usr_01k9z4c3r8h2v6y0n5t7w1x3q9"] });

export const emailAddress = z
  .string()
  .meta({ description: "E-mail address.", examples: ["ada@example.com"] });

export const roleName = z.string().meta({
  description: "`owner`, `admin`, `developer`, `support` or `viewer`; later versions may know more.",
  examples: ["developer"],
});

/** A role that somebody is given. */
export const newRole = z.string().meta({
  description: "What the member may do: see the roles.",
  enum: ["owner", "admin", "developer", "support", "viewer"],
  examples: ["developer"],
});

/** Which page of a list is wanted. */
export const pageQuery = z.strictObject({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: "Entries of one page: 1 to 100 (50)." }),
  cursor: z
    .string()
    .optional()
    .meta({ description: "`next_cursor` of the page before; missing: the first page." }),
});

/** A part of the names in a list. */
export const listSearch = z
  .string()
  .max(320)
  .optional()
  .meta({
    description: "A part of the name, in A-labels or in the letters that people read; capitals do not count.",
    examples: ["example"],
  });

/** One page of a list. */
export function page<Entry extends z.ZodType>(id: string, entry: Entry) {
  return z
    .object({
      data: z.array(entry),
      has_more: z.boolean().meta({ description: "Whether another page follows." }),
      next_cursor: z
        .string()
        .optional()
        .meta({ description: "Where the next page begins; missing on the last." }),
    })
    .meta({ id, description: "One page of a list." });
}

export const linkToken = z
  .string()
  .meta({ description: "What stands behind `#` in the link of the mail.", format: "password" });

export const newPassword = z.string().meta({
  description: "12 to 256 characters, none of which is trimmed; what is easily guessed is refused.",
  format: "password",
});

export const passkeyOptions = z
  .object({
    options: z.record(z.string(), z.unknown()).meta({
      description: "For `navigator.credentials`, in the JSON form of WebAuthn.",
    }),
  })
  .meta({ id: "PasskeyOptions", description: "What a browser is to ask a device for." });

export const passkeyResponse = z.record(z.string(), z.unknown()).meta({
  description: "The browser's answer to the options, in the JSON form of WebAuthn.",
});

/** Where a browser goes after it was at a provider. */
export const returnTo = z.strictObject({
  return_to: z
    .string()
    .max(2_000)
    .optional()
    .meta({
      description:
        "Path of the dashboard that the browser goes to afterwards; missing: the first page. Addresses of other sites are refused.",
      examples: ["/messages"],
    }),
});
