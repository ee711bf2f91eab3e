import { expect, it } from "vitest";
import { formatHostPort, parseHostPort, parseHostPorts } from "./host-port.ts";

it.each([
  ["core:50051", { host: "core", port: 50_051 }],
  ["10.0.0.7:1", { host: "10.0.0.7", port: 1 }],
  ["[fd00::7]:50051", { host: "fd00::7", port: 50_051 }],
])("reads %s and writes it again", (text, parsed) => {
  expect(parseHostPort(text)).toEqual(parsed);
  expect(formatHostPort(parsed)).toBe(text);
});

it.each([
  "core",
  "core:",
  ":50051",
  "core:0",
  "core:65536",
  "fd00::7:50051",
  "[core]:1",
  "http://core:1",
  "a b:1",
])("takes %s for no address", (text) => {
  expect(parseHostPort(text)).toBeUndefined();
  expect(parseHostPorts(`core:1,${text}`)).toEqual([]);
});

it("reads a list", () => {
  expect(parseHostPorts("a:1, b:2").map(({ host }) => host)).toEqual(["a", "b"]);
  expect(parseHostPorts("a:1,")).toEqual([]);
});
