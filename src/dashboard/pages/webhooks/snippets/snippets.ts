import { go } from "./go.ts";
import { java } from "./java.ts";
import { node } from "./node.ts";
import { php } from "./php.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";
import type { Snippet } from "./snippet.ts";

export const languages = ["node", "python", "go", "php", "ruby", "java"] as const;
export type Language = (typeof languages)[number];

/** Programs that receive and verify events. A secret comes from the environment variable WEBHOOK_SECRET. */
export const snippets: Readonly<Record<Language, Snippet>> = { node, python, go, php, ruby, java };
