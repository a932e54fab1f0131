import { Context, type DateTime, type Effect } from "effect"

/** A setting as administrators may see it. */
export interface ShownSetting {
  /** Such as `session.expires_in`. */
  readonly path: string
  /** As JSON. Null for what is not shown, such as texts that may name a person, and without a value; `set` for a secret. */
  readonly value: string | null
  readonly secret: boolean
  readonly source: "file" | "variable" | "default"
  /** As JSON; null without one. */
  readonly default: string | null
}

/** What `doctor` reports about settings, without addresses. */
export interface ShownFinding {
  readonly module: string
  readonly severity: "note" | "warning"
  readonly text: string
}

/** What the process that runs the service knows about it. */
export interface State {
  readonly version: string
  readonly started_at: DateTime.Utc
  readonly isDraining: () => boolean
  /** The settings that apply now. */
  readonly settings: Effect.Effect<ReadonlyArray<ShownSetting>>
  readonly findings: Effect.Effect<ReadonlyArray<ShownFinding>>
}

/** Null where nothing runs the service but a test. */
export const ServiceState = Context.Reference<State | null>("sallyport/ServiceState", { defaultValue: () => null })
