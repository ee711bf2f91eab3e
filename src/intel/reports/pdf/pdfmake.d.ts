/** The used part of pdfmake, which has no types. */
declare module "pdfmake" {
  interface PdfMake {
    setFonts(fonts: Readonly<Record<string, Readonly<Record<"normal" | "bold", string>>>>): void;
    setLocalAccessPolicy(policy: (path: string) => boolean): void;
    setUrlAccessPolicy(policy: (url: string) => boolean): void;
    createPdf(definition: object): { getBuffer(): Promise<Buffer> };
  }
  const pdfmake: PdfMake;
  // biome-ignore lint/style/noDefaultExport: it is how the package exports it
  export default pdfmake;
}
