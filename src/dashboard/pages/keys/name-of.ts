import type { Key } from "../../api/keys.ts";
import type { Tone } from "../../parts/icons.tsx";

/** Name of a key, or its first characters if it has no name. */
export const nameOf = ({ name, prefix }: Pick<Key, "name" | "prefix">): string => name || prefix;

const tones: Readonly<Record<string, Tone>> = {
  active: "ok",
  unused: "idle",
  replaced: "warn",
  expired: "bad",
  revoked: "bad",
};

/** Color of a key's state. */
export const toneOf = ({ state }: Pick<Key, "state">): Tone => tones[state] ?? "idle";
