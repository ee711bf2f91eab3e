import { isIP } from "node:net";

/** Matches the name in `direct mx.example.net[192.0.2.25]:25`, `smtp relay.example.com:587` or `report mx.example.net`. */
const VIA = /^(?:direct|smtp|report) ([^\s[\]]+?)(?:\[[^\]]*\])?(?::\d{1,5})?$/;

/** Host that sent a reply, in the form that reports use; undefined if there was no reply. */
export function remoteMtaOf(via: string): string | undefined {
  const host = VIA.exec(via)?.[1];
  if (host === undefined || host === "dns") return undefined;
  switch (isIP(host)) {
    case 4:
      return `[${host}]`;
    case 6:
      return `[IPv6:${host}]`;
    default:
      return host;
  }
}
