import { z } from "zod";

/** Schemas that the resources of the dashboard share. */

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
  description: "`owner`, `admin`, `developer`, `support` or `viewer`; later versions may add roles.",
  examples: ["developer"],
});

/** Role in a request. */
export const newRole = z.string().meta({
  description: "Role of the member. It decides the member's permissions.",
  enum: ["owner", "admin", "developer", "support", "viewer"],
  examples: ["developer"],
});

/** Query parameters of a paged list. */
export const pageQuery = z.strictObject({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: "Number of entries in a page: 1 to 100. Default: 50." }),
  cursor: z
    .string()
    .optional()
    .meta({ description: "`next_cursor` of the previous page. Missing: the first page." }),
});

/** Query parameter that filters a list by a part of the name. */
export const listSearch = z
  .string()
  .max(320)
  .optional()
  .meta({
    description: "Part of the name, in A-labels or in Unicode. Not case-sensitive.",
    examples: ["example"],
  });

/**
 * One page of a list.
 * @param more further fields of the answer
 */
export function page<Entry extends z.ZodType, More extends z.ZodRawShape = Record<never, never>>(
  id: string,
  entry: Entry,
  more?: More,
) {
  return z
    .object({
      ...(more as More),
      data: z.array(entry),
      has_more: z.boolean().meta({ description: "Whether another page follows." }),
      next_cursor: z
        .string()
        .optional()
        .meta({ description: "`cursor` of the next page. Missing on the last page." }),
    })
    .meta({ id, description: "One page of a list." });
}

export const endedSessions = z
  .object({ ended: z.int().meta({ description: "Number of ended sessions." }) })
  .meta({ id: "EndedSessions", description: "Result of the operation." });

export const linkToken = z
  .string()
  .meta({ description: "Part of the link in the mail after `#`.", format: "password" });

export const newPassword = z.string().meta({
  description:
    "12 to 256 characters. Spaces at either end count. Passwords that are easy to guess are refused.",
  format: "password",
});

export const passkeyOptions = z
  .object({
    options: z.record(z.string(), z.unknown()).meta({
      description: "Options for `navigator.credentials`, in the JSON form of WebAuthn.",
    }),
  })
  .meta({ id: "PasskeyOptions", description: "Options with which the browser asks a device for a passkey." });

export const passkeyResponse = z.record(z.string(), z.unknown()).meta({
  description: "Response of the browser to the options, in the JSON form of WebAuthn.",
});

/** Query parameter for the page to open after the provider's page. */
export const returnTo = z.strictObject({
  return_to: z
    .string()
    .max(2_000)
    .optional()
    .meta({
      description:
        "Path in the dashboard that the browser opens afterwards. Missing: the first page. Addresses of other sites are refused.",
      examples: ["/messages"],
    }),
});
