import { z } from "zod";
import { parseMoment } from "../../shared/parse-moment.ts";
import { type RegistryEnding, registryEndings } from "./rdap-result.ts";

/** RFC 9083 section 5.3, as far as it is of use; what else is there spoils nothing. */
const domainAnswer = z.object({
  objectClassName: z.literal("domain"),
  ldhName: z.string().optional(),
  events: z.array(z.unknown()).catch([]),
  status: z.array(z.unknown()).catch([]),
});
const expiration = z.object({ eventAction: z.literal("expiration"), eventDate: z.string() });
export interface RdapDomain {
  readonly expiresAt: Date | undefined;
  readonly endings: readonly RegistryEnding[];
}

/**
 * Reads what an RDAP server says of a domain.
 * @throws Error when it is no answer about this domain
 */
export function readRdap(text: string, registrable: string): RdapDomain {
  const { data } = domainAnswer.safeParse(parseJson(text));
  if (!data) throw new Error("the answer is none about a domain");
  const { ldhName, events, status } = data;
  if (ldhName !== undefined && ldhName.replace(/\.$/, "").toLowerCase() !== registrable)
    throw new Error("the answer is about another domain");
  const states = status.map((one) => String(one).toLowerCase());
  return {
    expiresAt: expirationOf(events),
    endings: registryEndings.filter((ending) => states.includes(ending)),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("the answer is not JSON");
  }
}

/** RFC 9083 section 4.5. Of several the first one: a reminder that is too early does no harm. */
function expirationOf(events: readonly unknown[]): Date | undefined {
  const moments = events.flatMap((one) => {
    const { data } = expiration.safeParse(one);
    return data ? (parseMoment(data.eventDate) ?? []) : [];
  });
  return moments.toSorted((a, b) => a.getTime() - b.getTime())[0];
}
