/** The same keys and parameters as the English texts, in any language. */
export type Texts<T> = T extends (...params: infer Params) => infer Text
  ? (...params: Params) => Texts<Text>
  : T extends string
    ? string
    : { readonly [Key in keyof T]: Texts<T[Key]> };
