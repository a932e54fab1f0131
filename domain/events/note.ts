import { Context } from "effect"

/**
 * Why the caller of the current operation does it; null if they did not say. Commits pass it to modules that store security events, apart
 * from the events, so that it reaches the audit log only.
 */
export const Note = Context.Reference<string | null>("sallyport/Note", { defaultValue: () => null })
