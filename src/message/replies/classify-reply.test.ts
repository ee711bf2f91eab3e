import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { classifyReply, hintPatterns, isAddressInvalid, type Refusal, ruleFor } from "./classify-reply.ts";
import { enhancedStatusCodeOf } from "./outcome.ts";
import type { ReplyCategory } from "./reply-rule.ts";
import { replyRules } from "./reply-rules.ts";

const FOLDER = "test/fixtures/replies";
const categories = [
  "invalid_mailbox",
  "mailbox_full",
  "policy",
  "spam",
  "rate_limit",
  "auth",
  "dns",
  "tls",
  "network",
  "other",
] as const satisfies readonly ReplyCategory[];

const fixtureSchema = z.strictObject({
  reply: z.string().min(1).max(4096),
  phase: z.enum(["connect", "ehlo", "starttls", "auth", "mail", "rcpt", "data"]),
  provider: z.string().optional(),
  category: z.enum(categories),
  permanent: z.boolean(),
  scope: z.enum(["message", "recipient", "destination", "sender"]),
  greylisted: z.literal(true).optional(),
  retryAfterSeconds: z.number().optional(),
  /** Source of the reply. */
  source: z.string().optional(),
});
type Fixture = z.infer<typeof fixtureSchema>;

const fixtures = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".json"))
  .flatMap((name) =>
    z
      .array(fixtureSchema)
      .parse(JSON.parse(readFileSync(`${FOLDER}/${name}`, "utf8")))
      .map((fixture) => ({ name, ...fixture })),
  );

/** In the form of a transport. */
function refusalOf({ reply, phase, provider }: Fixture): Refusal {
  const code = Number.parseInt(reply, 10);
  return {
    code: code >= 400 && code < 600 ? code : undefined,
    enhancedStatusCode: enhancedStatusCodeOf(reply),
    text: reply,
    phase,
    provider,
  };
}

const rcpt = (text: string, code?: number) =>
  classifyReply({ code: code ?? Number.parseInt(text, 10), text, phase: "rcpt" });

describe("the class of a reply", () => {
  it.each(fixtures)("$name: $phase: $reply", ({ name: _, ...fixture }) => {
    const { reply, phase, provider, source: ___, ...expected } = fixture;
    const { advice: __, ...found } = classifyReply(refusalOf(fixture));
    expect(found).toEqual(expected);
  });

  it("is equal for joined lines and in capitals", () => {
    for (const fixture of fixtures) {
      const refusal = refusalOf(fixture);
      const expected = classifyReply(refusal);
      expect(classifyReply({ ...refusal, text: refusal.text.replaceAll("\n", " ") })).toEqual(expected);
      expect(classifyReply({ ...refusal, text: refusal.text.toUpperCase() })).toEqual(expected);
    }
  });

  it("has advice except for unknown and greylisted replies", () => {
    for (const fixture of fixtures) {
      const { advice, category, greylisted } = classifyReply(refusalOf(fixture));
      expect(advice === undefined, fixture.reply).toBe(category === "other" || greylisted === true);
    }
  });
});

describe("the fixtures", () => {
  it("are at least 200, and at least five of each category", () => {
    expect(fixtures.length).toBeGreaterThanOrEqual(200);
    for (const category of categories) {
      const count = fixtures.filter((fixture) => fixture.category === category).length;
      expect(count, category).toBeGreaterThanOrEqual(5);
    }
  });

  it("contain no real addresses", () => {
    const addresses = fixtures.flatMap(({ reply }) => reply.match(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g) ?? []);
    expect(addresses.filter((address) => !address.endsWith("@example.com"))).toEqual([]);
  });

  it("use every rule", () => {
    const used = new Set(fixtures.map((fixture) => ruleFor(refusalOf(fixture))));
    expect(replyRules.filter((rule) => !used.has(rule))).toEqual([]);
  });
});

describe("an address is given up", () => {
  it("only for an invalid mailbox, permanently, and as a reply to the recipient or the message", () => {
    for (const fixture of fixtures) {
      const isInvalid = isAddressInvalid(classifyReply(refusalOf(fixture)));
      expect(isInvalid, fixture.reply).toBe(fixture.category === "invalid_mailbox" && fixture.permanent);
      if (isInvalid) expect(["rcpt", "data"]).toContain(fixture.phase);
    }
    for (const rule of replyRules.filter(({ category }) => category === "invalid_mailbox")) {
      expect(rule.scope).toBe("recipient");
    }
  });

  it("never for a reply about the host, regardless of its code", () => {
    const said = [
      "Client host [192.0.2.1] blocked using zen.spamhaus.org",
      "Your IP has a poor reputation",
      "too many connections",
      "Greylisted, try again later",
      "Sender address rejected: user unknown",
      "message rejected as spam",
      "SPF check failed",
      "cannot find your reverse hostname",
      "Your IP address is unknown",
      "return path address does not exist",
      "Sender's email address does not exist",
      "message sending for this account is disabled",
      "your account is suspended",
    ];
    for (const text of said) {
      for (const code of [550, 551, 553, 554]) {
        for (const enhanced of ["", "5.1.1 ", "5.7.1 ", "5.0.0 "]) {
          const reply = `${code} ${enhanced}<user@example.com>: ${text}`;
          expect(isAddressInvalid(rcpt(reply)), reply).toBe(false);
        }
      }
    }
  });

  it("never by a reply to MAIL or to the connection, because neither is about a recipient", () => {
    for (const fixture of fixtures) {
      for (const phase of ["connect", "ehlo", "starttls", "auth", "mail"] as const) {
        const refusal = refusalOf({ ...fixture, phase });
        if (refusal.code === undefined) continue;
        const { category, scope } = classifyReply(refusal);
        expect(["invalid_mailbox", "mailbox_full"], fixture.reply).not.toContain(category);
        expect(scope, fixture.reply).not.toBe("recipient");
      }
    }
  });

  it("has one category for 5.1.10, whatever the text", () => {
    for (const { reply } of fixtures) {
      const text = reply
        .replace(/^(?:\d{3}[ -])?(?:[245]\.\d{1,3}\.\d{1,3} ?)?/, "550 5.1.10 ")
        .replaceAll(/\n\S+ ?/g, " ");
      expect(rcpt(text, 550).category, text).toBe("invalid_mailbox");
    }
  });

  it("never before the recipient was named", () => {
    for (const phase of ["connect", "ehlo", "starttls", "auth", "mail"] as const) {
      const text = "550 5.1.1 user unknown: mailbox unavailable, account disabled";
      expect(isAddressInvalid(classifyReply({ code: 550, text, phase }))).toBe(false);
    }
  });

  it("regardless of the words in its local part", () => {
    for (const word of ["spamhaus", "greylist", "quota", "spf", "too-many-connections", "ofr_417"]) {
      expect(isAddressInvalid(rcpt(`550 5.1.1 <${word}@example.com>: user unknown`)), word).toBe(true);
      expect(isAddressInvalid(rcpt(`550 No such user (${word}@example.com)`)), word).toBe(true);
    }
  });
});

describe("permanent", () => {
  it("is never a rate limit, a greylisting or a wrong password, even with 550", () => {
    for (const fixture of fixtures) {
      const { category, greylisted, permanent } = classifyReply({ ...refusalOf(fixture), code: 550 });
      if (category === "rate_limit" || greylisted) expect(permanent, fixture.reply).toBe(false);
    }
    expect(rcpt("550 5.7.1 Greylisted, try later").permanent).toBe(false);
    expect(classifyReply({ code: 535, text: "535 5.7.8 no", phase: "auth" }).permanent).toBe(false);
  });

  it("is never a connection failure without a reply", () => {
    expect(classifyReply({ text: "socket hang up", phase: "data" }).permanent).toBe(false);
  });
});

describe("the retry hint", () => {
  it.each([
    ["450 Greylisted, try again in 300 seconds", 300],
    ["450 please retry after 5 minutes", 300],
    ["451 Try again in 90 min", 5400],
    ["451 wait 2 hours", 7200],
    ["451 greylisted for 00:04:59", 299],
    ["451 Veuillez essayer dans 10 minutes", 600],
    ["451 try again in 1 second", 30],
    ["451 try again in 999999 hours", 86_400],
    ["451 try again in 99:59:59", 86_400],
    ["451 try again later", undefined],
    ["451 try again after 2030-01-01", undefined],
    ["421 4.16.55 deferred 300 messages", undefined],
    ["550 5.1.1 user unknown, try again in 300 seconds", undefined],
  ])("%s: %s", (reply, seconds) => {
    expect(rcpt(reply).retryAfterSeconds).toBe(seconds);
  });
});

describe("hostile text", () => {
  const patterns = [...replyRules.flatMap(({ text, provider }) => [text, provider]), ...hintPatterns].filter(
    (pattern) => pattern !== undefined,
  );

  it("is read up to 4 KB only, and never throws", () => {
    const far = `${"x".repeat(5000)} user unknown`;
    expect(rcpt(far, 550).category).toBe("other");
    for (const text of ["", " ", "\ud800", "@".repeat(9999), "<".repeat(9999), "550-".repeat(5000), "İ"]) {
      expect(() => rcpt(text, 550)).not.toThrow();
    }
  });

  it("gives the same result with the counting matcher as with the engine", () => {
    for (const { source } of patterns) {
      const native = new RegExp(source);
      const counted = compile(source);
      for (const { reply } of fixtures.filter((_, index) => index % 5 === 0)) {
        const text = reply.toLowerCase().replace(/\s+/g, " ");
        expect(counted(text).matched, `${source} on ${text}`).toBe(native.test(text));
      }
    }
  });

  it("costs each pattern at most a fixed number of steps per character", () => {
    for (const { source } of patterns) {
      const match = compile(source);
      for (const piece of hostilePieces(source)) {
        const text = piece.repeat(HOSTILE_LENGTH).slice(0, HOSTILE_LENGTH);
        expect(match(text).steps / text.length, `${source} on ${piece}`).toBeLessThan(
          MAX_STEPS_PER_CHARACTER,
        );
      }
    }
  });
});

/**
 * Upper bound of the steps of any pattern, for any text: the sum over its alternatives of the characters that each can consume.
 */
const MAX_STEPS_PER_CHARACTER = 200;
const HOSTILE_LENGTH = 400;

/** Repeated beginnings of matches, so that each alternative starts at every position and fails late. */
function hostilePieces(source: string): string[] {
  const words = source.match(/[a-z]{2,}[a-z ]*/g) ?? [];
  const begun = words.flatMap((word) => [word, `${word} `, `${word.slice(0, -1)}  `]);
  return ["a", " ", "1", ".", "@ ", "1.1.1.1 ", "1:1:", ...begun];
}

type Next = (at: number) => boolean;
type Node = (text: string, at: number, next: Next, count: () => void) => boolean;

/**
 * A backtracking matcher for the part of the syntax that rules may use, which counts its steps. Throws for anything else, above
 * all an unbounded quantifier: if all are bounded, the pattern fixes the cost of a start.
 */
function compile(source: string): (text: string) => { matched: boolean; steps: number } {
  let position = 0;
  const peek = () => source[position];
  const eat = (text: string) => {
    if (!source.startsWith(text, position)) return false;
    position += text.length;
    return true;
  };

  function alternatives(): Node {
    const all = [sequence()];
    while (eat("|")) all.push(sequence());
    return (text, at, next, count) => all.some((node) => node(text, at, next, count));
  }

  function sequence(): Node {
    const nodes: Node[] = [];
    while (peek() !== undefined && peek() !== "|" && peek() !== ")") nodes.push(quantified());
    return (text, at, next, count) => {
      const from = (index: number, place: number): boolean => {
        const node = nodes[index];
        return node ? node(text, place, (after) => from(index + 1, after), count) : next(place);
      };
      return from(0, at);
    };
  }

  function quantified(): Node {
    const node = atom();
    const [whole = "", , low, comma, high] =
      /^(?:(\?)|\{(\d+)(?:(,)(\d+))?\})/.exec(source.slice(position)) ?? [];
    position += whole.length;
    if (/[*+{?]/.test(peek() ?? "")) throw new Error(`unbounded or lazy quantifier in ${source}`);
    if (whole === "") return node;
    const min = whole === "?" ? 0 : Number(low);
    const max = whole === "?" ? 1 : comma ? Number(high) : min;
    return (text, at, next, count) => {
      const more = (times: number, place: number): boolean =>
        (times < max && node(text, place, (after) => after > place && more(times + 1, after), count)) ||
        (times >= min && next(place));
      return more(0, at);
    };
  }

  function atom(): Node {
    if (eat("(?:") || eat("(")) {
      if (peek() === "?") throw new Error(`lookaround in ${source}`);
      const inner = alternatives();
      if (!eat(")")) throw new Error(`group in ${source}`);
      return inner;
    }
    if (eat("^")) return place((_, at) => at === 0);
    if (eat("$")) return place((text, at) => at === text.length);
    if (eat("\\b")) {
      const isWord = (text: string, at: number) => /\w/.test(text[at] ?? "");
      return place((text, at) => isWord(text, at - 1) !== isWord(text, at));
    }
    const single = /^(?:\[(?:\\.|[^\]\\])+\]|\\[dDsSwW./[\]()|+?]|[^\\[\](){}|*+?^$])/.exec(
      source.slice(position),
    )?.[0];
    if (single === undefined) throw new Error(`unknown syntax at ${source.slice(position)}`);
    position += single.length;
    const expression = new RegExp(`^${single}$`);
    const known = new Map<string, boolean>();
    return (text, at, next, count) => {
      count();
      const character = text[at];
      if (character === undefined) return false;
      const fits = known.get(character) ?? expression.test(character);
      known.set(character, fits);
      return fits && next(at + 1);
    };
  }

  const place =
    (holds: (text: string, at: number) => boolean): Node =>
    (text, at, next, count) => {
      count();
      return holds(text, at) && next(at);
    };

  const root = alternatives();
  if (position < source.length) throw new Error(`unknown syntax at ${source.slice(position)}`);
  return (text) => {
    let steps = 0;
    const count = () => {
      steps += 1;
    };
    let matched = false;
    for (let at = 0; at <= text.length && !matched; at += 1) matched = root(text, at, () => true, count);
    return { matched, steps };
  };
}
