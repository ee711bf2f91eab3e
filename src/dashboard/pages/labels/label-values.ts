import type { Label, LabelSettings } from "../../api/labels.ts";

/** Values of the form. */
export interface LabelValues {
  readonly name: string;
  /** As `#rrggbb`; empty: the default color. */
  readonly color: string;
  /** Name of the file with a new logo; missing: the stored one stays; null: it is removed. */
  readonly logo?: string | null;
}

export const valuesOf = (label: Label | null): LabelValues => ({
  name: label?.name ?? "",
  color: label?.color ?? "",
});

/**
 * The settings of the form. The API takes no empty text.
 * @param file the new logo in base64
 */
export function settingsOf({ name, color, logo }: LabelValues, file: string): LabelSettings {
  return {
    ...(name.trim() !== "" && { name: name.trim() }),
    ...(color.trim() !== "" && { color: color.trim() }),
    ...(logo !== undefined && { logo: logo === null ? null : file }),
  };
}

const CHUNK_BYTES = 0x80_00;

/** A file in base64. */
export async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES));
  return btoa(text);
}
