import type { ApiDocument } from "../../reference-frame/messages.ts";
import { t } from "../../texts/texts.ts";

/** Security schemes that take a key of the account. */
const OF_ACCOUNT: ReadonlySet<string> = new Set(["apiKeyHeader", "bearer"]);

export interface Own {
  /** Base URL, without a slash at its end. */
  readonly server: string;
  /** Beginning of a key of the account; undefined: it has none, or the user may not see it. */
  readonly prefix: string | undefined;
}

/** The document with the user's own server, and a hint of the user's own key where a key is entered. */
export function ownDocument(content: ApiDocument, { server, prefix }: Own): ApiDocument {
  const schemes = Object.entries(content.components?.securitySchemes ?? {}).map(([name, scheme]) => {
    const hint = prefix !== undefined && OF_ACCOUNT.has(name) ? t.reference.keyHint(prefix) : "";
    return [name, { ...scheme, description: `${scheme.description ?? ""} ${hint}`.trim() }] as const;
  });
  const components = { ...content.components, securitySchemes: Object.fromEntries(schemes) };
  return { ...content, servers: [{ url: server }], components };
}
