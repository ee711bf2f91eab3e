/** The used part of bidi-js, which has no types. */
declare module "bidi-js" {
  interface EmbeddingLevels {
    /** One level for each code unit of the text. */
    readonly levels: Uint8Array;
  }
  interface Bidi {
    getEmbeddingLevels(text: string, direction?: "ltr" | "rtl" | "auto"): EmbeddingLevels;
    /** The mirrored character for right-to-left text; null: the character itself. */
    getMirroredCharacter(letter: string): string | null;
  }
  // biome-ignore lint/style/noDefaultExport: it is how the package exports it
  export default function bidiFactory(): Bidi;
}
