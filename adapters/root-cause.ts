/** The innermost cause of an error: drivers wrap what the system or the server has said. */
export const rootCauseOf = (fault: unknown): unknown => {
  const { cause, reason, errors } = Object(fault) as {
    readonly cause?: unknown
    readonly reason?: unknown
    readonly errors?: ReadonlyArray<unknown>
  }
  if (typeof cause === "object" && cause !== null) return rootCauseOf(cause)
  if (typeof reason === "object" && reason !== null) return rootCauseOf(reason)
  return errors !== undefined && errors.length > 0 ? rootCauseOf(errors[0]) : fault
}

/** The first line of the message of the root cause. */
export const reasonOf = (fault: unknown): string => {
  const cause = rootCauseOf(fault)
  return String((Object(cause) as { readonly message?: unknown }).message || cause).split("\n")[0] ?? ""
}

/** The code of the root cause: of the system, or of the server. */
export const codeOf = (fault: unknown): unknown => (Object(rootCauseOf(fault)) as { readonly code?: unknown }).code
