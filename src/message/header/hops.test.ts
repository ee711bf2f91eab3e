import { expect, it } from "vitest";
import { countHops } from "./received-field.ts";

const source = (...lines: string[]) => Buffer.from(lines.join("\r\n"));

it("counts Received fields, however they are written", () => {
  const header = [
    "Received: from a",
    "\tby b",
    "RECEIVED : from b",
    "Subject: Received: not",
    "received:from c",
  ];
  expect(countHops(source(...header, "", "body"))).toBe(3);
});

it("looks at the header alone", () => {
  expect(countHops(source("Subject: Hello", "", "Received: from a", "Received: from b"))).toBe(0);
  expect(countHops(source("X-Received: a", "Received-SPF: pass", "", ""))).toBe(0);
  expect(countHops(source("Received: from a"))).toBe(1);
});
