import type { MessageContent } from "../content.ts";
import { splitSource } from "../dkim/header-block.ts";
import { writeSourceHeaders } from "../header/source-headers.ts";
import { unsubscribeBaseFault } from "./base-url.ts";
import type { Subscription, UnsubscribeTokens } from "./token.ts";

/** URL that stops mail of a subscription. */
export type UnsubscribeUrl = (subscription: Subscription) => string;

/** undefined: links cannot use this base URL. */
export function createUnsubscribeUrl(
  baseUrl: string | undefined,
  tokens: UnsubscribeTokens,
): UnsubscribeUrl | undefined {
  if (baseUrl === undefined || unsubscribeBaseFault(baseUrl) !== undefined) return undefined;
  const base = baseUrl.replace(/\/+$/, "");
  return (subscription) => `${base}/u/${tokens.encode(subscription)}`;
}

/** The content with fields for one-click unsubscription (RFC 2369, RFC 8058); its own List-Unsubscribe stays. */
export function withListUnsubscribe(content: MessageContent, url: () => string): MessageContent {
  const isField = (wanted: string) => (field: { readonly name: string }) =>
    field.name.toLowerCase() === wanted;
  if (content.headers.some(isField("list-unsubscribe"))) return content;
  // Alone it has no effect, and only one is allowed.
  const isPost = isField("list-unsubscribe-post");
  return {
    ...content,
    headers: [
      ...content.headers.filter((field) => !isPost(field)),
      { name: "List-Unsubscribe", value: `<${url()}>` },
      { name: "List-Unsubscribe-Post", value: "List-Unsubscribe=One-Click" },
    ],
  };
}

/** A finished message with fields for one-click unsubscription; its own List-Unsubscribe stays. */
export function sourceWithListUnsubscribe(source: Buffer, url: () => string): Buffer {
  const { fields, body } = splitSource(source);
  if (fields.some(({ name }) => name === "list-unsubscribe")) return source;
  const added = [
    { name: "list-unsubscribe", bytes: Buffer.from(`List-Unsubscribe: <${url()}>`) },
    {
      name: "list-unsubscribe-post",
      bytes: Buffer.from("List-Unsubscribe-Post: List-Unsubscribe=One-Click"),
    },
  ];
  // Alone it has no effect, and only one is allowed.
  const own = fields.filter(({ name }) => name !== "list-unsubscribe-post");
  return Buffer.concat([writeSourceHeaders([...added, ...own]), body]);
}
