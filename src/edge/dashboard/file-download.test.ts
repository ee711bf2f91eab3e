import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { fault } from "../../shared/fault.ts";
import { CSV, fileDownload } from "./file-download.ts";

const reply = { header: () => undefined };
const file = { name: "a.csv", mediaType: CSV };

/** Parts, the number of requested ones, and whether the reader has ended. */
function partsOf(texts: readonly string[], end?: Error) {
  const state = { asked: 0, ended: false };
  async function* parts() {
    try {
      for (const text of texts) {
        state.asked++;
        yield { data: Buffer.from(text) };
      }
      if (end) throw end;
    } finally {
      state.ended = true;
    }
  }
  return { state, parts: parts() };
}

it("has all parts, and leaves out those without octets", async () => {
  const { parts } = partsOf(["a", "", "", "b", ""]);
  const { body } = await fileDownload(reply, file, parts);
  expect(Buffer.concat(await body.toArray()).toString()).toBe("ab");
});

it("is refused if the core fails before the first part", async () => {
  const { parts } = partsOf([], fault("service.busy"));
  await expect(fileDownload(reply, file, parts)).rejects.toMatchObject({ code: "service.busy" });
});

it("breaks off when the core does", async () => {
  const { parts } = partsOf(["a", "b"], fault("store.unavailable"));
  const { body } = await fileDownload(reply, file, parts);
  await expect(body.toArray()).rejects.toMatchObject({ code: "store.unavailable" });
});

it("requests no more than its reader accepts, and nothing after the reader has gone", async () => {
  const { state, parts } = partsOf(Array.from({ length: 100 }, () => "x".repeat(100_000)));
  const { body } = await fileDownload(reply, file, parts);
  body.once("readable", () => undefined);
  await setImmediate();
  expect(state.asked).toBeLessThan(4);
  body.destroy();
  await once(body, "close");
  expect(state.ended).toBe(true);
});

it("ends if its reader stops reading", async () => {
  const { state, parts } = partsOf(Array.from({ length: 100 }, () => "x".repeat(100_000)));
  const { body } = await fileDownload(reply, { ...file, stallMs: 20 }, parts);
  body.read(0);
  const [error] = await once(body, "error");
  expect(error).toMatchObject({ code: "core.timeout" });
  if (!body.closed) await once(body, "close");
  expect(state.ended).toBe(true);
});
