import type { Domain } from "../../../gen/hermod/domain/v1/domain_service_pb.ts";
import { characterStrings } from "../../message/dkim/keys.ts";
import { printable } from "../output/printable.ts";
import { isoTime, plainTime } from "../output/time.ts";

/** A domain as `--json` writes it. */
export function domainJson({ accountId, name, keys }: Domain) {
  return {
    account_id: accountId,
    name,
    keys: keys.map((key) => ({
      selector: key.selector,
      algorithm: key.algorithm,
      state: key.state,
      signs_from: isoTime(key.signsFrom),
      dns_record: { type: "TXT", name: key.recordName, value: key.recordValue },
    })),
  };
}

const meanings: Readonly<Record<string, string>> = {
  upcoming: "publish this record before they sign",
  signing: "this record must be published",
  retired: "this record may go a week after the next keys took over",
};

/** For people: each key with the record that publishes it, ready to paste into a zone file (RFC 1035 section 5.1). */
export function describeDomain({ name, keys }: Domain): string {
  const blocks = keys.map(({ selector, algorithm, state, signsFrom, recordName, recordValue }) =>
    [
      `  ${printable(selector)}  ${algorithm}  ${state} from ${plainTime(signsFrom)}: ${meanings[state] ?? ""}`,
      `    ${printable(recordName)}.  TXT  ${quotedStrings(recordValue)}`,
    ].join("\n"),
  );
  return [`DKIM keys of ${printable(name)}`, ...blocks].join("\n\n");
}

/** A value of more than 255 octets is several character-strings: most servers refuse one that is longer. */
function quotedStrings(value: string): string {
  return characterStrings(printable(value))
    .map((part) => `"${part.replace(/["\\]/g, "\\$&")}"`)
    .join(" ");
}
