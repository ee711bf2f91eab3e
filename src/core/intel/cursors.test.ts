import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Fault } from "../../shared/fault.ts";
import { createCursors } from "./cursors.ts";

const cursors = createCursors(randomBytes(32));
const question = { list: "domains", workspaceId: "ws_1", filter: { status: "critical" }, order: "name" };
const position = { rank: "example.com", id: "dom_1" };

function refusalOf(ask: object, cursor: string): Fault {
  try {
    cursors.read(ask as typeof question, cursor);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error(`taken: ${cursor}`);
}

describe("a cursor", () => {
  it("returns to its position", () => {
    const ranks = fc.oneof(fc.string({ maxLength: 200 }), fc.integer());
    fc.assert(
      fc.property(ranks, fc.string({ maxLength: 40 }), (rank, id) => {
        expect(cursors.read(question, cursors.write(question, { rank, id }))).toEqual({ rank, id });
      }),
    );
  });

  it("that is empty is the beginning", () => {
    expect(cursors.read(question, "")).toBeUndefined();
  });

  it("is invalid for another query", () => {
    const cursor = cursors.write(question, position);
    const others = [
      { ...question, workspaceId: "ws_2" },
      { ...question, filter: {} },
      { ...question, order: "-score" },
      { ...question, list: "clients" },
    ];
    for (const other of others) expect(refusalOf(other, cursor).code).toBe("cursor.invalid");
  });

  it("from another installation, or in another form, is refused without details", () => {
    const foreign = createCursors(randomBytes(32)).write(question, position);
    const [body = "", tag = ""] = cursors.write(question, position).split(".");
    const changed = Buffer.from(JSON.stringify(["zzz", "dom_9"])).toString("base64url");
    const cases = [
      ...[foreign, body, `${body}.`, `.${tag}`, ".", "..", `${body}.${tag}.`, `${body}.${tag}.${tag}`],
      ...[`${changed}.${tag}`, `${body}.${tag.slice(1)}`, `${body}.${tag}=`, "\u0000", "é.é", "__proto__"],
      ...["a".repeat(3_000_000), `${"a".repeat(2_000)}.${tag}`],
    ];
    const answers = cases.map((cursor) => refusalOf(question, cursor));
    expect(new Set(answers.map(({ code, message }) => `${code} ${message}`)).size).toBe(1);
    expect(answers[0]?.code).toBe("cursor.invalid");
  });

  it("with one changed character is refused, at any position", () => {
    const cursor = cursors.write(question, position);
    for (let at = 0; at < cursor.length; at++) {
      const other = cursor[at] === "A" ? "B" : "A";
      expect(refusalOf(question, cursor.slice(0, at) + other + cursor.slice(at + 1)).code).toBe(
        "cursor.invalid",
      );
    }
  });
});
