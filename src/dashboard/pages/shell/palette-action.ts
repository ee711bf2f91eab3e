/** An entry of the command palette. */
export interface PaletteAction {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly run: () => void;
}

/** Entries below one heading, with what is known of a search that goes on or has failed. */
export interface PaletteGroup {
  readonly label: string;
  readonly actions: readonly PaletteAction[];
  readonly isSearching?: boolean;
  readonly error?: Error | null;
}
