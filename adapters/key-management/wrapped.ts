import { Redacted } from "effect"

/** Marks a wrapped secret in the configuration. */
export const prefix = "wrapped:"

/** Whether the key management has to unwrap a configured secret. */
export const isWrapped = (secret: Redacted.Redacted<string>): boolean => Redacted.value(secret).startsWith(prefix)
