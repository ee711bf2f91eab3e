/** An error that prevents the start. Its message names the setting to change. */
export class StartupError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "StartupError";
  }
}

/** Error for one or several unusable settings, in the format of `loadConfig`. */
export function settingsError(faults: readonly string[]): StartupError {
  const [only = "", ...others] = faults;
  if (others.length === 0) return new StartupError(only);
  return new StartupError(`These settings cannot be used:\n${faults.map((line) => `  ${line}`).join("\n")}`);
}

/** Error for a listener that could not be opened, with its setting. */
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
