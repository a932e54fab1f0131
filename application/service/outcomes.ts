import { AddressNotAllowed, ImpersonationRefused, RegistrationClosed } from "../../domain/errors.ts"
import type { Operation } from "../../domain/policies.ts"

/** The codes of operations that failed because of the service. */
export const serviceFaults: ReadonlyArray<string> = ["internal_error", "unavailable", "overloaded"]

/** What became of a sign-in. `locked`: too many attempts; `error`: a fault of the service, or the caller disconnected. */
export const signInOutcomes = ["succeeded", "challenged", "failed", "locked", "error"] as const
export type SignInOutcome = (typeof signInOutcomes)[number]

export const signInOutcome = (code: string): SignInOutcome => {
  if (code === "ok") return "succeeded"
  if (code === "challenged") return "challenged"
  if (code === "rate_limited") return "locked"
  return code === "interrupted" || serviceFaults.includes(code) ? "error" : "failed"
}

const wrongProofs = ["invalid_credentials", "invalid_otp", "invalid_passkey", "invalid_signature"]
const notAdmitted: ReadonlyArray<string> = [RegistrationClosed.code, AddressNotAllowed.code]
const denied = new Set(["forbidden", "banned", ImpersonationRefused.code, ...wrongProofs])

/** The security outcome of a call, if it is one: a sign-in, a used-up budget, or a refused caller. */
export const securityOutcome = ({ signsIn }: Pick<Operation, "signsIn">, code: string) => {
  if (signsIn === undefined || signsIn === "session") {
    if (code === "rate_limited") return "limit.reached" as const
    return denied.has(code) ? ("access.denied" as const) : undefined
  }
  if (notAdmitted.includes(code)) return "registration.refused" as const
  const outcome = signInOutcome(code)
  return outcome === "error" ? undefined : (`sign_in.${outcome}` as const)
}
