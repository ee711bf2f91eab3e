/**
 * Names of the fields of a response that its message lacks; `never`: there are none. The compiler detects such fields
 * if an object has a declared type, but the type of a response is inferred. Complete messages are not checked, nor are
 * fields below the fifth level, so that the check of a recursive message ends.
 */
export type UnknownFields<Answer, Shape, Depth extends 0[] = []> = Depth["length"] extends 5
  ? never
  : Answer extends Scalar | Uint8Array | { readonly $typeName: string }
    ? never
    : Answer extends readonly (infer One)[]
      ? UnknownFields<One, ElementOf<Shape>, [...Depth, 0]>
      : Exclude<keyof Answer, KeyOf<Shape>> | UnknownFieldsWithin<Answer, Shape, [...Depth, 0]>;

type UnknownFieldsWithin<Answer, Shape, Depth extends 0[]> = {
  [K in keyof Answer]-?: UnknownFields<NonNullable<Answer[K]>, FieldOf<Shape, K>, Depth>;
}[keyof Answer];

type Scalar = string | number | bigint | boolean | null | undefined;
type ElementOf<Shape> = Shape extends readonly (infer One)[] ? One : never;
type KeyOf<Shape> = Shape extends unknown ? keyof Shape : never;
type FieldOf<Shape, K> = Shape extends unknown
  ? K extends keyof Shape
    ? NonNullable<Shape[K]>
    : never
  : never;
