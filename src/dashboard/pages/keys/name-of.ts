import type { Key } from "../../api/keys.ts";
import type { Tone } from "../../parts/icons.tsx";

/** The name of a key; one without a name is known by its first characters. */
export const nameOf = ({ name, prefix }: Pick<Key, "name" | "prefix">): string => name || prefix;

const tones: Readonly<Record<string, Tone>> = {
  active: "ok",
  unused: "idle",
  replaced: "warn",
  expired: "bad",
  revoked: "bad",
};

/** The color that a key's state is shown in. */
export const toneOf = ({ state }: Pick<Key, "state">): Tone => tones[state] ?? "idle";

/** False: the key opens nothing any more. */
export const isValid = ({ state }: Pick<Key, "state">): boolean => state !== "expired" && state !== "revoked";
