import type { FirstRun } from "../core/first-run.ts";
import type { Addresses } from "./addresses.ts";

/** Content of first-run.json: without addresses of closed ports, and without secrets that a person has removed. */
export interface FirstRunFile {
  readonly base_url?: string | undefined;
  readonly smtp?: {
    readonly host?: string | undefined;
    readonly port?: number | undefined;
    readonly username?: string | undefined;
    readonly password?: string | undefined;
  };
  readonly api_key?: string;
  readonly deliverability_api_key?: string;
  readonly sender?: string;
  readonly dashboard?: {
    readonly url?: string | undefined;
    readonly email?: string | undefined;
    readonly password?: string | undefined;
  };
  readonly admin?: { readonly url: string; readonly sandbox_url: string };
  readonly grpc?: { readonly address?: string | undefined; readonly token?: string };
}

export function firstRunFile(secrets: FirstRun, addresses: Addresses, token: string): FirstRunFile {
  const file = {
    smtp: { username: secrets.smtpUsername, password: secrets.smtpPassword },
    api_key: secrets.apiKey,
    deliverability_api_key: secrets.deliverabilityApiKey,
    sender: secrets.sender,
    dashboard: { email: secrets.dashboardEmail, password: secrets.dashboardPassword },
  };
  return refreshedFile(file, addresses, token);
}

/** The file after this start. Undefined values are omitted from its JSON. */
export function refreshedFile(
  { base_url: _former, ...saved }: FirstRunFile,
  { baseUrl, smtp, adminUrl, grpc }: Addresses,
  token: string,
): FirstRunFile {
  const { username, password } = saved.smtp ?? {};
  const { email, password: dashboardPassword } = saved.dashboard ?? {};
  return {
    base_url: baseUrl,
    ...saved,
    smtp: { ...smtp, username, password },
    dashboard: { url: baseUrl && `${baseUrl}/dashboard`, email, password: dashboardPassword },
    admin: { url: adminUrl, sandbox_url: `${adminUrl}/sandbox` },
    grpc: { address: grpc, token },
  };
}

/** The secrets in such a file; missing ones are empty. */
export function firstRunOf(saved: FirstRunFile): FirstRun {
  return {
    apiKey: saved.api_key ?? "",
    deliverabilityApiKey: saved.deliverability_api_key ?? "",
    smtpUsername: saved.smtp?.username ?? "",
    smtpPassword: saved.smtp?.password ?? "",
    sender: saved.sender ?? "",
    dashboardEmail: saved.dashboard?.email ?? "",
    dashboardPassword: saved.dashboard?.password ?? "",
  };
}
