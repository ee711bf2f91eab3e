import { z } from "zod";

/** A text that is always there. */
export const text = (description: string, ...examples: string[]) =>
  z.string().meta({ description, ...(examples.length > 0 && { examples }) });

/** A text that may be missing, of a query. */
export const optionalText = (description: string, ...examples: string[]) =>
  z
    .string()
    .optional()
    .meta({ description, ...(examples.length > 0 && { examples }) });
