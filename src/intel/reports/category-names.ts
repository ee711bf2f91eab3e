import type { CheckCategory } from "../catalogue.ts";

/** Categories of checks, as headings. */
export const categoryNames: Readonly<Record<CheckCategory, string>> = {
  auth: "Authentication",
  transport: "Transport",
  reputation: "Reputation",
  infra: "Infrastructure",
};
