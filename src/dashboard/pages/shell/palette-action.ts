/** An entry of the command palette. */
export interface PaletteAction {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly run: () => void;
}

/** Entries below one heading, with the state of a search that is running or has failed. */
export interface PaletteGroup {
  readonly label: string;
  readonly actions: readonly PaletteAction[];
  readonly isSearching?: boolean;
  readonly error?: Error | null;
}
