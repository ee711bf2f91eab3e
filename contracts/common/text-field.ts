import { z } from "zod";

/** A required text. */
export const text = (description: string, ...examples: string[]) =>
  z.string().meta({ description, ...(examples.length > 0 && { examples }) });

/** An optional text of a query. */
export const optionalText = (description: string, ...examples: string[]) =>
  z
    .string()
    .optional()
    .meta({ description, ...(examples.length > 0 && { examples }) });

/** A required list of texts. */
export const texts = (description: string, ...example: string[]) =>
  z.array(z.string()).meta({ description, examples: [example] });

/** A required truth value. */
export const flag = (description: string) => z.boolean().meta({ description });
