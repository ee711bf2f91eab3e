import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { fastify } from "fastify";
import { describe, expect, it } from "vitest";
import { compressAnswers, preferredCoding } from "./content-coding.ts";

it.each([
  [undefined, undefined],
  ["", undefined],
  ["identity", undefined],
  ["deflate, zstd", undefined],
  ["gzip", "gzip"],
  ["gzip, deflate, br", "br"],
  ["br;q=0.5, gzip", "gzip"],
  ["br;q=0, gzip;q=0", undefined],
  ["BR", "br"],
  ["gzip;q=nonsense", undefined],
  ["gzip;q=0.001", "gzip"],
] as const)("of %j chooses %j", (accepted, chosen) => {
  expect(preferredCoding(accepted)).toBe(chosen);
});

describe("an answer", () => {
  const long = JSON.stringify({ data: "all is well ".repeat(10_000) });
  async function ask(acceptEncoding: string | undefined, body: unknown = long, type = "application/json") {
    const app = fastify();
    compressAnswers(app);
    app.get("/", (_request, reply) => reply.header("content-type", type).header("etag", '"1"').send(body));
    const headers = acceptEncoding === undefined ? {} : { "accept-encoding": acceptEncoding };
    const answer = await app.inject({ url: "/", headers });
    await app.close();
    return answer;
  }

  it("is compressed as its client takes it, with a weak entity tag", async () => {
    for (const [accepted, unpack] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const { headers, rawPayload } = await ask(accepted);
      expect(headers).toMatchObject({ "content-encoding": accepted, vary: "accept-encoding", etag: 'W/"1"' });
      expect(unpack(rawPayload).toString()).toBe(long);
      expect(rawPayload.length).toBeLessThan(long.length / 20);
    }
  });

  it("is sent as it is to a client that takes no coding, and says that it varies", async () => {
    const { headers, body } = await ask(undefined);
    expect([headers["content-encoding"], headers.vary, headers.etag]).toEqual([
      undefined,
      "accept-encoding",
      '"1"',
    ]);
    expect(body).toBe(long);
  });

  it("is sent as it is where it is short, or no text", async () => {
    expect((await ask("br", "{}")).headers["content-encoding"]).toBeUndefined();
    const pdf = await ask("br", Buffer.alloc(100_000), "application/pdf");
    expect([pdf.headers["content-encoding"], pdf.rawPayload.length]).toEqual([undefined, 100_000]);
  });
});
