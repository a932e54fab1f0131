import { Effect } from "effect"
import { type AuthError, invalidMember } from "../../../domain/errors.ts"
import { inputField } from "../components/fields.ts"
import { field, Visit } from "../page.ts"
import type { ConsoleView } from "./screen.ts"

// Why an administrator does something: typed on the pages that ask before an action, and kept by the audit log.

const name = "reason"
const shortest = 10
const longest = 500

/** The reason as a member of an input; nothing if none was entered. Not every endpoint refuses a short one. */
export const enteredReason = Effect.gen(function* () {
  const { form } = yield* Visit
  const reason = field(form, name).trim()
  if (reason !== "" && reason.length < shortest) return yield* invalidMember(name, `expected at least ${shortest} characters`)
  const entered: { readonly reason?: string } = reason === "" ? {} : { reason }
  return entered
})

/** Keeps the entered reason for the page while an action waits for a new proof of identity. */
export const keepingReason = <A, R>(action: Effect.Effect<A, AuthError, R>) =>
  Effect.tapError(action, ({ _tag }) => (_tag === "session_not_fresh" ? keepReason : Effect.void))

const keepReason = Effect.map(Visit, ({ form, session, setFlow, view }) => {
  const value = field(form, name).slice(0, longest)
  if (session !== null && value !== "") setFlow({ console_reason: { user_id: session.user.id, page: view.here, value } })
})

/** The field of a page. */
export interface AskedReason {
  readonly isRequired: boolean
  /** What was entered before a new proof of identity. */
  readonly kept: string
}

/** The field for a reason; null if none is required, and there is no audit log to keep it. What another page kept is forgotten. */
export const askedReason = (isRequired: boolean) =>
  Effect.map(Visit, ({ flow, has, session, setFlow, view }): AskedReason | null => {
    const { console_reason: kept } = flow()
    if (kept !== undefined) setFlow({ console_reason: undefined })
    if (!isRequired && !has("adminAuditList")) return null
    return { isRequired, kept: kept?.page === view.here && kept.user_id === session?.user.id ? kept.value : "" }
  })

export const reasonField = (view: ConsoleView, { isRequired, kept }: AskedReason) => {
  const { t } = view.texts
  const label = t("console.confirm.reason")
  return inputField(view, {
    name,
    label: isRequired ? label : t("field.attribute.optional", { label }),
    hint: t("console.confirm.reason.hint"),
    required: isRequired,
    value: kept,
    attributes: { minlength: String(shortest), maxlength: String(longest), autocomplete: "off" },
  })
}
