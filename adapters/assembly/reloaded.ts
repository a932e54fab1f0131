/** The settings that a reload changed, and those that only a restart changes. */
export interface Reloaded {
  readonly changed: ReadonlyArray<string>
  readonly needsRestart: ReadonlyArray<string>
}
