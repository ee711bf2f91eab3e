import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEventParser } from "./event-parser.ts";

const text = [
  "retry: 2000\nid: p1\n\n",
  'event: changes\nid: p2\ndata: {"a":1}\n\n',
  ": nothing new\nid: p3\n\n",
  "event: gap\nid: p4\ndata: {}\n\n",
].join("");

function readAll(pieces: readonly string[]) {
  const events: unknown[] = [];
  const parser = createEventParser((event) => events.push(event));
  for (const piece of pieces) parser.read(piece);
  return { events, lastId: parser.lastId };
}

describe("the parser of server-sent events", () => {
  it("reports events with data, and remembers the id of a comment", () => {
    expect(readAll([text])).toEqual({
      events: [
        { name: "changes", data: '{"a":1}' },
        { name: "gap", data: "{}" },
      ],
      lastId: "p4",
    });
    expect(readAll([": nothing new\nid: p9\n\n"])).toEqual({ events: [], lastId: "p9" });
  });

  it("reports the same events no matter where the stream is cut", () => {
    const cuts = fc.array(fc.nat(text.length), { maxLength: 12 });
    fc.assert(
      fc.property(cuts, (places) => {
        const at = [0, ...places.toSorted((a, b) => a - b), text.length];
        const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));
        expect(readAll(pieces)).toEqual(readAll([text]));
      }),
    );
  });

  it("does not report an incomplete event, and does not move past it", () => {
    const { events, lastId } = readAll(["id: p1\n\nevent: changes\nid: p2\ndata: {}\n"]);
    expect({ events, lastId }).toEqual({ events: [], lastId: "p1" });
  });
});
