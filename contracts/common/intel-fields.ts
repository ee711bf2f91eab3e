import { z } from "zod";

/** Field types of the responses of Deliverability Intel. */

export const count = (description: string) => z.int().meta({ description, minimum: 0 });
export const moment = (description: string) =>
  z.string().meta({ description, format: "date-time", examples: ["2030-01-01T12:00:00Z"] });
