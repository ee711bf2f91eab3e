import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type FaultCodeName, faultCodes } from "../contracts/common/fault-codes.ts";
import { faultParams } from "../contracts/common/fault-texts/fault-params.ts";
import {
  faultNouns,
  faultTexts,
  faultWords,
  paramNamesIn,
} from "../contracts/common/fault-texts/fault-texts.ts";
import { fieldFaultCodes } from "../contracts/common/field-fault-codes.ts";
import { faultsWithoutOperation, operationFaults } from "../contracts/common/operation-faults.ts";
import { permissionOf } from "../contracts/common/permission.ts";
import { permissions, scopesOfKind } from "../contracts/common/permissions.ts";
import { sessionRouteOf } from "../contracts/common/session-access.ts";
import { api, dashboard } from "../contracts/index.ts";
import { openApiDocument } from "../contracts/openapi.ts";

const names = Object.keys(faultCodes) as FaultCodeName[];
const page = readFileSync("docs/reference/errors.md", "utf8");
const [faultTable = "", fieldTable = "", paramTable = "", textTable = ""] = page.split(/^## .*$/m);

/** The cells of each row, without Markdown's marks. */
function rowsOf(table: string): string[][] {
  const rows = table.split("\n").filter((line) => /^\| (?!Code |Param )/.test(line));
  return rows.map((line) =>
    line
      .slice(2, -2)
      .split(" | ")
      .map((cell) => cell.replace(/<a [^>]*><\/a>/, "").replace(/^`(.*)`$/, "$1")),
  );
}

const textsOfCodes = Object.entries(faultTexts).flatMap(([code, texts]) =>
  Object.entries(texts).map(([reason, text]) => [code, reason, text] as const),
);

describe("the catalogue of faults", () => {
  it("is the table of docs/reference/errors.md, line by line", () => {
    const expected = names.map((code) => {
      const { http, grpc, smtp, title, doc } = faultCodes[code];
      return [code, String(http), grpc, smtp, `**${title}.** ${doc}`];
    });
    expect(rowsOf(faultTable)).toEqual(expected);
  });

  it("has the field codes of docs/reference/errors.md", () => {
    expect(rowsOf(fieldTable)).toEqual(Object.entries(fieldFaultCodes));
  });

  it("has the params and the texts of docs/reference/errors.md", () => {
    const types = { string: "string", number: "number", strings: "array of strings" };
    expect(rowsOf(paramTable)).toEqual(
      Object.entries(faultParams).map(([name, { type, doc }]) => [name, types[type], doc]),
    );
    const rows = rowsOf(textTable).map(([code, reason, , params]) => `${code} ${reason} ${params}`);
    expect(rows).toEqual(
      textsOfCodes.map(([code, reason, text]) => {
        const params = ["reason", ...paramNamesIn(text)].map((name) => `\`${name}\``).join(", ");
        // The first and the last mark of a cell are taken off by `rowsOf`.
        return `${code} ${reason} ${params.replace(/^`(.*)`$/, "$1")}`;
      }),
    );
  });

  it("is covered by the operations, except for codes with a documented reason", () => {
    const ofDashboard = Object.values(dashboard).flatMap((router) => Object.values(router));
    const used = new Set([
      ...Object.values(operationFaults).flat(),
      ...ofDashboard.flatMap((route) => sessionRouteOf(route).faults),
    ]);
    const excused = Object.keys(faultsWithoutOperation);
    expect(names.filter((code) => !used.has(code))).toEqual(names.filter((code) => excused.includes(code)));
    expect([...used].filter((code) => excused.includes(code))).toEqual([]);
  });

  it("knows every code that the OpenAPI document mentions", () => {
    const text = JSON.stringify(openApiDocument());
    // The code of a blacklist is an address, without letters.
    const mentioned = [...text.matchAll(/"code":"([^"]*[a-z][^"]*)"/g)].map(([, code = ""]) => code);
    expect(mentioned.length).toBeGreaterThan(0);
    for (const code of new Set(mentioned))
      expect({ ...faultCodes, ...fieldFaultCodes }).toHaveProperty([code]);
  });

  it("knows every operation of the fault lists", () => {
    const ids = Object.values(openApiDocument().paths ?? {}).flatMap((item) =>
      Object.values(item).map((operation) => (operation as { operationId: string }).operationId),
    );
    expect(Object.keys(operationFaults).sort()).toEqual(ids.sort());
  });

  it("has a temporary SMTP reply exactly if a retry can succeed", () => {
    for (const code of names) {
      const { http, smtp } = faultCodes[code];
      const mayPass = [408, 409, 429, 500, 503].includes(http);
      expect(`${code} ${smtp.startsWith("4")}`).toBe(`${code} ${mayPass}`);
      expect(smtp).toMatch(/^[45]\d\d [45]\.\d\.\d+$/);
    }
  });
});

describe("the texts of faults", () => {
  it("belong to codes that exist, and a reason is one text for all its codes", () => {
    const texts = new Map<string, string>();
    for (const [code, reason, text] of textsOfCodes) {
      expect({ ...faultCodes, ...fieldFaultCodes }).toHaveProperty([code]);
      expect(`${reason}: ${texts.get(reason) ?? text}`).toBe(`${reason}: ${text}`);
      expect(reason).toMatch(/^[a-z0-9]+(?:_[a-z0-9]+)*$/);
      texts.set(reason, text);
    }
  });

  it("have known params and formats alone, and each param is in a text", () => {
    const used = new Set(["reason"]);
    const formats = ["code", "json", "grouped", ...Object.keys(faultWords), ...Object.keys(faultNouns)];
    for (const [, , text] of textsOfCodes) {
      for (const name of paramNamesIn(text)) {
        expect(faultParams).toHaveProperty([name]);
        used.add(name);
      }
      for (const [, format] of text.matchAll(/\{\w+:(\w+)\}/g)) expect(formats).toContain(format);
      expect(text.replace(/\{\w+(?::\w+)?\}/g, "")).not.toMatch(/[{}]/);
    }
    expect(Object.keys(faultParams).filter((name) => !used.has(name))).toEqual([]);
  });
});

describe("the scopes of keys", () => {
  it("each open an operation of the public API, for the kind of key that can have it", () => {
    const opened = (key: string) => {
      const routes = Object.values(api).flatMap((router) => Object.values(router));
      const permitted = routes.map(permissionOf).filter((permission) => permission.key === key);
      return new Set(permitted.map(({ scope }) => scope));
    };
    expect(opened("account")).toEqual(new Set(scopesOfKind.account));
    expect(opened("deliverability")).toEqual(new Set(scopesOfKind.deliverability));
    expect(scopesOfKind.smtp).toEqual(["email.send"]);
  });
});

describe("the access to the dashboard's routes", () => {
  it("is public, for signed-in users, or an existing permission", () => {
    for (const route of Object.values(dashboard).flatMap((router) => Object.values(router))) {
      expect([
        "anyone",
        "half_signed_in",
        "before_second_factor",
        "before_password_change",
        "signed_in",
        ...Object.keys(permissions),
      ]).toContain(sessionRouteOf(route).access);
    }
  });
});
