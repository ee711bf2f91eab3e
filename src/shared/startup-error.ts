/** A start that cannot succeed, in words that name the setting to change. */
export class StartupError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "StartupError";
  }
}

/** One or several settings that cannot be used, told as `loadConfig` tells them. */
export function settingsError(faults: readonly string[]): StartupError {
  const [only = "", ...others] = faults;
  if (others.length === 0) return new StartupError(only);
  return new StartupError(`These settings cannot be used:\n${faults.map((line) => `  ${line}`).join("\n")}`);
}

/** Why a listener could not be opened, naming its setting. */
export function listenError(setting: string, host: string, port: number, error: unknown): StartupError {
  const { code, message = String(error) } = error as Partial<NodeJS.ErrnoException>;
  if (code === "EADDRINUSE") {
    return new StartupError(
      `${setting}: port ${port} on ${host} is in use by another process. Choose another port.`,
      error,
    );
  }
  if (code === "EACCES") {
    return new StartupError(
      `${setting}: this user is not allowed to open port ${port} on ${host}. Choose a port above 1023.`,
      error,
    );
  }
  return new StartupError(`${setting}: cannot listen on ${host}:${port}: ${message}`, error);
}
