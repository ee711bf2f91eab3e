import { z } from "zod";
import { parseMoment } from "../../shared/parse-moment.ts";
import { type RegistryEnding, registryEndings } from "./rdap-result.ts";

/** The used fields of RFC 9083 section 5.3. Unknown fields are ignored. */
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
 * Reads the answer of an RDAP server about a domain.
 * @throws Error if the text is not an answer about this domain
 */
export function readRdap(text: string, registrable: string): RdapDomain {
  const { data } = domainAnswer.safeParse(parseJson(text));
  if (!data) throw new Error("the answer is not about a domain");
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

/** RFC 9083 section 4.5. The first of several events counts: an early reminder does no harm. */
function expirationOf(events: readonly unknown[]): Date | undefined {
  const moments = events.flatMap((one) => {
    const { data } = expiration.safeParse(one);
    return data ? (parseMoment(data.eventDate) ?? []) : [];
  });
  return moments.toSorted((a, b) => a.getTime() - b.getTime())[0];
}
