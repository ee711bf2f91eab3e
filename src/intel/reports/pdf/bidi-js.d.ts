/** The part of bidi-js that is used, which has no types. */
declare module "bidi-js" {
  interface EmbeddingLevels {
    /** Of each unit of the text. */
    readonly levels: Uint8Array;
  }
  interface Bidi {
    getEmbeddingLevels(text: string, direction?: "ltr" | "rtl" | "auto"): EmbeddingLevels;
    /** What stands in its place where it is read from right to left; null: it stands there itself. */
    getMirroredCharacter(letter: string): string | null;
  }
  // biome-ignore lint/style/noDefaultExport: it is how the package exports it
  export default function bidiFactory(): Bidi;
}
