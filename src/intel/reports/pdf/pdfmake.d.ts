/** The parts of pdfmake that are used, which has no types. */

declare module "pdfmake/js/Printer.js" {
  interface PdfKitDocument extends NodeJS.ReadableStream {
    end(): void;
  }
  class PdfPrinter {
    constructor(
      fonts: Readonly<Record<string, Readonly<Record<"normal" | "bold", string>>>>,
      virtualfs: object,
      urlResolver: object,
      localAccessPolicy: (path: string) => boolean,
    );
    createPdfKitDocument(definition: object, options?: object): Promise<PdfKitDocument>;
  }
  const printer: { readonly default: typeof PdfPrinter };
  export default printer;
}

declare module "pdfmake/js/URLResolver.js" {
  class UrlResolver {
    constructor(virtualfs: object);
    setUrlAccessPolicy(policy: (url: string) => boolean): void;
  }
  const resolver: { readonly default: typeof UrlResolver };
  export default resolver;
}

declare module "pdfmake/js/virtual-fs.js" {
  const files: { readonly default: object };
  export default files;
}
