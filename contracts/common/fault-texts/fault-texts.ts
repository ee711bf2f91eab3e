import { accessTexts } from "./access-texts.ts";
import { addressTexts } from "./address-texts.ts";
import { contentTexts } from "./content-texts.ts";
import type { FaultParamName, FaultParamValue } from "./fault-params.ts";
import { fieldTexts } from "./field-texts.ts";
import { invalidFieldTexts } from "./invalid-field-texts.ts";
import { resourceTexts } from "./resource-texts.ts";

/**
 * The texts of each code, by reason. `{name}` is a param; `{name:format}` formats it: `code` quotes the entries of a list,
 * `json` quotes a string, `grouped` groups digits; others name a table of `faultWords` or a noun of `faultNouns`.
 * Two codes with the same reason have the same text.
 */
export const faultTexts = {
  ...fieldTexts,
  ...invalidFieldTexts,
  ...addressTexts,
  ...contentTexts,
  ...accessTexts,
  ...resourceTexts,
} as const;

type Texts = typeof faultTexts;

/** Reason of a fault: the key of its text within its code. */
export type FaultReason = { [Code in keyof Texts]: keyof Texts[Code] }[keyof Texts] & string;

type TextOf<Reason> = {
  [Code in keyof Texts]: Reason extends keyof Texts[Code] ? Texts[Code][Reason] : never;
}[keyof Texts];

type NameOf<Placeholder> = Placeholder extends `${infer Name}:${string}` ? Name : Placeholder;

/** The names of the params of a text. */
export type ParamNamesIn<Text> = Text extends `${string}{${infer Placeholder}}${infer Rest}`
  ? NameOf<Placeholder> | ParamNamesIn<Rest>
  : never;

/** Exactly the params of a reason's text. */
export type FaultReasonParams<Reason extends FaultReason> = {
  readonly [Name in ParamNamesIn<TextOf<Reason>> & string]: FaultParamValue<Name>;
};

/** English words for values of params. */
export const faultWords = {
  caller_role: { front_end: "front end", worker: "worker" },
  key_kind: {
    account: "an account key (hm_live_…)",
    deliverability: "a deliverability key (hm_dlv_…)",
    smtp: "an SMTP sending key (hm_smtp_…)",
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

/** English nouns for numbers, singular and plural. */
export const faultNouns = {
  characters: ["character", "characters"],
  entries: ["entry", "entries"],
  fields: ["field", "fields"],
} as const satisfies Record<string, readonly [string, string]>;

const byReason = new Map<string, string>(Object.values(faultTexts).flatMap((texts) => Object.entries(texts)));

const PLACEHOLDER = /\{(\w+)(?::(\w+))?\}/g;

/** Replaces each placeholder with a value. */
export function fillText(text: string, fillIn: (name: string, format: string | undefined) => string): string {
  return text.replace(PLACEHOLDER, (_, name: string, format: string | undefined) => fillIn(name, format));
}

/** The names of the params of a text, each once. */
export function paramNamesIn(text: string): FaultParamName[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name]) => name as FaultParamName))];
}

/** The text of a reason, with its placeholders. */
export function faultTextOf(reason: FaultReason): string {
  return byReason.get(reason) ?? "";
}
