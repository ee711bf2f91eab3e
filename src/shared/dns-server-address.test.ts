import { expect, it } from "vitest";
import { formatDnsServer, parseDnsServer } from "./dns-server-address.ts";

it.each([
  ["192.0.2.1", "192.0.2.1:53"],
  ["192.0.2.1:5353", "192.0.2.1:5353"],
  ["2001:db8::1", "[2001:db8::1]:53"],
  ["[2001:db8::1]", "[2001:db8::1]:53"],
  ["[2001:db8::1]:5353", "[2001:db8::1]:5353"],
  ["fe80::1%eth0", "[fe80::1%eth0]:53"],
])("reads %s as %s", (text, expected) => {
  const server = parseDnsServer(text);
  expect(server && formatDnsServer(server)).toBe(expected);
});

it.each([
  "",
  "dns.example",
  "192.0.2.1:0",
  "192.0.2.1:65536",
  "192.0.2.1:",
  "[192.0.2.1]:53",
  "192.0.2.1:x",
  "1.2.3",
])("refuses %j", (text) => {
  expect(parseDnsServer(text)).toBeUndefined();
});
