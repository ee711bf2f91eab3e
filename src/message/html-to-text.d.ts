// html-to-text 10 ships no types. This declares just what derive-text.ts uses.
declare module "html-to-text" {
  interface Element {
    readonly attribs?: Readonly<Record<string, string | undefined>>;
    readonly children: readonly Element[];
  }
  interface BlockTextBuilder {
    addInline(text: string, options?: { noWordTransform?: boolean }): void;
  }
  type Formatter = (
    element: Element,
    walk: (children: readonly Element[], builder: BlockTextBuilder) => void,
    builder: BlockTextBuilder,
    options: Readonly<Record<string, unknown>>,
  ) => void;
  interface Options {
    readonly wordwrap?: number | false;
    readonly limits?: { readonly maxDepth?: number; readonly ellipsis?: string; readonly maxInputLength?: number };
    readonly selectors?: readonly {
      readonly selector: string;
      readonly format?: string;
      readonly options?: Readonly<Record<string, unknown>>;
    }[];
    readonly formatters?: Readonly<Record<string, Formatter>>;
  }
  export function compile(options?: Options): (html: string) => string;
}
