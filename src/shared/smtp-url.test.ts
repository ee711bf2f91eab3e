import { expect, it } from "vitest";
import { parseSmtpUrl } from "./smtp-url.ts";

it.each([
  ["smtp://mail.example.com:2587", { host: "mail.example.com", port: 2587, tls: "starttls" }],
  ["smtp://Mail.Example.com", { host: "mail.example.com", port: 587, tls: "starttls" }],
  ["smtps://mail.example.com/", { host: "mail.example.com", port: 465, tls: "implicit" }],
  ["smtp://[::1]:25", { host: "[::1]", port: 25, tls: "starttls" }],
])("reads %s", (text, endpoint) => {
  expect(parseSmtpUrl(text)).toEqual(endpoint);
});

it.each([
  "mail.example.com:587",
  "smtp:mail.example.com",
  "https://mail.example.com",
  "smtp://",
  "smtp://:587",
  "smtp://user@mail.example.com",
  "smtp://mail.example.com/path",
  "smtp://mail.example.com?tls=1",
  "smtp://mail.example.com:0",
  "smtp://mail.example.com:70000",
])("refuses %s", (text) => {
  expect(parseSmtpUrl(text)).toBeUndefined();
});
