/** The members of a JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object, and not a list or null. */
export const isJsonObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value)
