import { t } from "../../texts/texts.ts";

/** The part of a transport, stored or new, that its text needs. */
interface Shown {
  readonly sandbox?: object | undefined;
  readonly smtp?:
    | { readonly servers: readonly { readonly host: string; readonly port?: number | undefined }[] }
    | undefined;
  readonly direct?: object | undefined;
}

export type TransportKind = "smtp" | "direct" | "sandbox";

/** The kind of a transport; undefined if it has none or several. */
export function kindOf({ smtp, direct, sandbox }: Shown): TransportKind | undefined {
  const kinds = [smtp && "smtp", direct && "direct", sandbox && "sandbox"].filter(
    (kind): kind is TransportKind => kind !== undefined,
  );
  return kinds.length === 1 ? kinds[0] : undefined;
}

/** A transport in words, such as `Relay relay.example.com`. */
export function transportText(transport: Shown): string {
  const kind = kindOf(transport);
  if (kind === undefined) return t.policies.unknownTransport;
  if (!transport.smtp) return t.policies.kinds[kind] ?? kind;
  return t.policies.relayBy(transport.smtp.servers.map(({ host }) => host).join(", "));
}

/** Transports in words, in the order of the attempts. */
export const transportsText = (transports: readonly Shown[]): string =>
  t.policies.inOrder(transports.map(transportText));
