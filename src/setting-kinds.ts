import { z } from "zod";

/** Kinds of settings: parsers of environment variables with their defaults. */

export const port = (otherwise: number) => z.coerce.number().int().min(0).max(65535).default(otherwise);
export const optionalPort = () => z.coerce.number().int().min(0).max(65535).optional();
export const count = (otherwise: number, least = 0) => z.coerce.number().int().min(least).default(otherwise);
export const text = (otherwise: string) => z.string().default(otherwise);
export const optional = () =>
  z
    .string()
    .optional()
    .transform((value) => value || undefined);
export const flag = (otherwise: boolean) =>
  z
    .enum(["true", "false"])
    .default(otherwise ? "true" : "false")
    .transform((value) => value === "true");
export const list = () =>
  text("").transform((value) =>
    value
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean),
  );
