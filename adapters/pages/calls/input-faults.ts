import { Result, Schema } from "effect"
import type { AnyEndpoint } from "../../../application/service/endpoint.ts"
import { memberFaults } from "../../../application/service/faults.ts"
import { type AuthError, InvalidRequest, PasswordTooShort } from "../../../domain/errors.ts"
import { check } from "../../../domain/sign-in/passwords.ts"

/** Members that a form always has, so that an empty one is a missing one. Endpoints accept the empty text, and refuse it as a wrong one. */
const entered = ["username", "password", "current_password", "new_password", "otp"] as const

type Rules = Parameters<typeof check>[1]

/** All faults of an input that are known without running the endpoint. */
const faultsOf = (endpoint: AnyEndpoint, input: object, rules: Rules): ReadonlyArray<AuthError> => [
  ...schemaFaults(endpoint, input),
  ...passwordFaults(endpoint, input, rules),
]

const schemaFaults = ({ input: schema }: AnyEndpoint, input: object): ReadonlyArray<AuthError> => {
  const decoded = Schema.decodeUnknownResult(schema, { errors: "all" })(withoutEmpty(input))
  return Result.isSuccess(decoded) ? [] : memberFaults(decoded.failure.issue).map((fault) => new InvalidRequest(fault))
}

const isEmpty = (input: object, name: string) => Reflect.get(input, name) === ""

const withoutEmpty = (input: object) =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !entered.some((each) => each === name && isEmpty(input, name))))

/** The fault of a new password, which only endpoints that take one have. */
const passwordFaults = ({ errors }: AnyEndpoint, input: object, rules: Rules): ReadonlyArray<AuthError> => {
  const { new_password, password = new_password } = input as { readonly new_password?: unknown; readonly password?: unknown }
  const isNew = errors.some((declared) => declared === PasswordTooShort)
  if (!isNew || typeof password !== "string" || password === "") return []
  const checked = check(password, rules)
  return Result.isSuccess(checked) ? [] : [checked.failure]
}

/** The refusal of an input that lacks what the visitor had to enter. The endpoint is not called: it would count an attempt. */
export const missingIn = (endpoint: AnyEndpoint, input: object, rules: Rules): AuthError | undefined => {
  if (!entered.some((name) => isEmpty(input, name))) return undefined
  const causes = faultsOf(endpoint, input, rules)
  const isMissing = causes.some(({ member = "" }) => isEmpty(input, member))
  return isMissing ? new InvalidRequest({ causes }) : undefined
}

/** The error with all faults of the input: endpoints name the first one. */
export const withAllFaults = (endpoint: AnyEndpoint, input: object, error: AuthError, rules: Rules): AuthError => {
  if (!["invalid_request", "password_too_short", "password_too_long"].includes(error._tag)) return error
  const causes = faultsOf(endpoint, input, rules)
  return causes.length === 0 ? error : new InvalidRequest({ message: error.message, causes })
}
