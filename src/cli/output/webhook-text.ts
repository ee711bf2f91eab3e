import type { Webhook } from "../../../gen/hermod/webhook/v1/webhook_service_pb.ts";
import type { Paint } from "./paint.ts";
import { alignRows } from "./table.ts";
import { plainTime, printable } from "./text.ts";

/** An endpoint for people, a line for each setting. */
export function webhookText(paint: Paint, webhook: Webhook): string {
  const { settings, disabled, secrets, failingSince } = webhook;
  const some = (values: readonly string[] | undefined, none: string) =>
    values && values.length > 0 ? values.map(printable).join(", ") : none;
  const lines: readonly (readonly [string, string])[] = [
    ["Endpoint", webhook.id],
    ["URL", printable(settings?.url ?? "")],
    ["Description", printable(settings?.description ?? "")],
    ["Events", some(settings?.types, "all")],
    ["Tags", some(settings?.tags, "all")],
    ["Policies", some(settings?.policies, "all")],
    ["Rate", settings?.ratePerSecond ? `at most ${settings.ratePerSecond} requests per second` : ""],
    ["Order", settings?.ordered ? "events of a message in order" : "unordered"],
    [
      "Headers",
      some(
        settings?.headers.map(({ name }) => name),
        "",
      ),
    ],
    ["State", disabled ? `disabled (${disabled.reason}): ${printable(disabled.detail)}` : "enabled"],
    ["Failing since", failingSince ? plainTime(failingSince) : ""],
    ...secrets.map(({ algorithm, publicKey, expiresAt }): readonly [string, string] => [
      "Signed with",
      [algorithm, publicKey, expiresAt ? `until ${plainTime(expiresAt)}` : ""].filter(Boolean).join(" "),
    ]),
    ["Payloads", webhook.version],
  ];
  const shown = lines.filter(([, value]) => value !== "");
  return alignRows(shown.map(([name, value]) => [paint("bold", name), value])).join("\n");
}
