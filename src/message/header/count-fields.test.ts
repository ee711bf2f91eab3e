import { expect, it } from "vitest";
import { countFields } from "./count-fields.ts";

const source = (...lines: string[]) => Buffer.from(lines.join("\r\n"));
const hops = (octets: Buffer) => countFields(octets, "received");

it("counts Received fields in any form", () => {
  const header = [
    "Received: from a",
    "\tby b",
    "RECEIVED : from b",
    "Subject: Received: not",
    "received:from c",
  ];
  expect(hops(source(...header, "", "body"))).toBe(3);
});

it("reads only the header", () => {
  expect(hops(source("Subject: Hello", "", "Received: from a", "Received: from b"))).toBe(0);
  expect(hops(source("X-Received: a", "Received-SPF: pass", "", ""))).toBe(0);
  expect(hops(source("Received: from a"))).toBe(1);
});
