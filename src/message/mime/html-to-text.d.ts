// html-to-text 10 has no types. This declares only the parts that derive-text.ts uses.
declare module "html-to-text" {
  export interface Element {
    readonly attribs?: Readonly<Record<string, string | undefined>>;
    readonly children: readonly Element[];
    /** Content of a text node. */
    readonly data?: string;
  }
  export interface BlockTextBuilder {
    addInline(text: string, options?: { noWordTransform?: boolean }): void;
  }
  export type Walk = (children: readonly Element[], builder: BlockTextBuilder) => void;
  export type Formatter = (element: Element, walk: Walk, builder: BlockTextBuilder) => void;
  export interface Options {
    readonly wordwrap?: number | false;
    readonly limits?: { readonly maxDepth?: number; readonly ellipsis?: string };
    readonly selectors?: readonly {
      readonly selector: string;
      readonly format?: string;
      readonly options?: Readonly<Record<string, unknown>>;
    }[];
    readonly formatters?: Readonly<Record<string, Formatter>>;
  }
  export function compile(options?: Options): (html: string) => string;
}
