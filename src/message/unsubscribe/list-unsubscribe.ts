import type { MessageContent } from "../content.ts";
import { unsubscribeBaseFault } from "./base-url.ts";
import type { Subscription, UnsubscribeTokens } from "./token.ts";

/** The URL that stops mail of a subscription. */
export type UnsubscribeUrl = (subscription: Subscription) => string;

/** undefined: links cannot lead to this base URL. */
export function createUnsubscribeUrl(
  baseUrl: string | undefined,
  tokens: UnsubscribeTokens,
): UnsubscribeUrl | undefined {
  if (baseUrl === undefined || unsubscribeBaseFault(baseUrl) !== undefined) return undefined;
  const base = baseUrl.replace(/\/+$/, "");
  return (subscription) => `${base}/u/${tokens.encode(subscription)}`;
}

/** The content with fields for leaving the list in one click (RFC 2369, RFC 8058); its own List-Unsubscribe stands. */
export function withListUnsubscribe(content: MessageContent, url: () => string): MessageContent {
  const isField = (wanted: string) => (field: { readonly name: string }) =>
    field.name.toLowerCase() === wanted;
  if (content.headers.some(isField("list-unsubscribe"))) return content;
  // Alone it says nothing, and there may be one only.
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
