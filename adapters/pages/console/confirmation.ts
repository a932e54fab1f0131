import { html, type SafeHtml } from "@remix-run/html-template"
import { Clock, Effect } from "effect"
import type { Permission } from "../../../domain/administration/permissions.ts"
import { type AuthError, define, SessionNotFresh, VersionMismatch } from "../../../domain/errors.ts"
import type { Key } from "../../texts/texts.ts"
import { leftToRight } from "../components/direction.ts"
import { form } from "../components/form.ts"
import { field, type Operation, Visit } from "../page.ts"
import { body } from "./parts/body.ts"
import { plainField } from "./parts/field.ts"
import { details } from "./parts/values.ts"
import { type AskedReason, askedReason, enteredReason, reasonField } from "./reason.ts"
import { type Answer, type ConsoleView, goTo, Operator, type Screen } from "./screen.ts"
import { newSecret } from "./secret.ts"

/** The text that the visitor had to type is another one. */
export const NotConfirmed = define("not_confirmed", 400, "The typed text is another one.")

/** What an action changes. */
export interface Subject {
  readonly id: string
  /** The name that it is shown by. */
  readonly name: string
  /** What tells it apart from others: an address and an id. */
  readonly about: ReadonlyArray<readonly [label: string, value: SafeHtml | string]>
  /** The page to which it returns, with its query. */
  readonly page: readonly [path: string, query?: Readonly<Record<string, string>>]
  /** The name of that page, if it is not that of the subject. */
  readonly pageName?: string
  /** The `version` that was read. */
  readonly version?: string
  /** What has to be typed, where the action cannot be undone. */
  readonly typed?: string
}

/** What was entered. */
export interface Confirmed {
  /** Empty if none was entered. Calls give it to every operation that takes one; it is here for those that require it. */
  readonly reason: string
  /** The `version` that the visitor saw. */
  readonly version: string
}

interface Confirmation<S extends Subject> {
  readonly path: string
  readonly permission: Permission
  readonly also?: ReadonlyArray<Permission>
  readonly section: string
  readonly needs: ReadonlyArray<Operation>
  readonly uses?: ReadonlyArray<Operation>
  readonly problems?: Screen["problems"]
  /** Also the label of the button. */
  readonly title: Key
  /** What happens; `{name}` is that of the subject. */
  readonly text: Key
  readonly subject: Effect.Effect<S, AuthError, Visit | Operator>
  /** Further fields. */
  readonly fields?: (view: ConsoleView, subject: S) => SafeHtml
  /** Whether a reason is required. */
  readonly needsReason?: true
  /** In place of the question: a secret that `run` has left with `showSecret`. */
  readonly secret?: (view: ConsoleView, secret: string) => SafeHtml
  /** Returns the text that is shown once, or another page than that of the subject. */
  readonly run: (subject: S, confirmed: Confirmed) => Effect.Effect<Key | Answer, AuthError, Visit | Operator>
}

/**
 * A page that asks before an action that harms an account or cannot be undone: what happens, to whom, and why. It needs a recent proof of
 * identity. The answer changes nothing if the subject has changed since it was shown.
 */
export const confirmation = <S extends Subject>({
  path,
  permission,
  also,
  section,
  needs,
  uses,
  problems,
  ...asked
}: Confirmation<S>): Screen => ({
  path,
  permission,
  ...(also && { also }),
  section,
  needs,
  ...(uses && { uses }),
  problems: { not_confirmed: "console.confirm.typed.wrong", ...problems },
  show: Effect.gen(function* () {
    yield* recentProof
    const { view } = yield* Operator
    const subject = yield* asked.subject
    const reason = yield* askedReason(asked.needsReason === true)
    const secret = asked.secret === undefined ? null : yield* newSecret(path)
    if (asked.secret !== undefined && secret !== null)
      return { title: view.texts.t(asked.title), main: answered(view, { title: asked.title, subject }, asked.secret(view, secret)) }
    return {
      title: view.texts.t(asked.title),
      main: template(view, { ...asked, subject, reason, fields: asked.fields?.(view, subject) ?? null }),
    }
  }),
  actions: {
    confirm: Effect.gen(function* () {
      yield* recentProof
      const { because, form } = yield* Visit
      const subject = yield* asked.subject
      // Not every endpoint takes the version that the visitor saw.
      if (subject.version !== undefined && field(form, "version") !== subject.version) return yield* new VersionMismatch()
      if (subject.typed !== undefined) yield* requireTyped(subject.typed)
      const { reason } = yield* enteredReason
      if (reason !== undefined) because(reason)
      const done = yield* asked.run(subject, { reason: reason ?? "", version: field(form, "version") })
      return typeof done === "string" ? yield* goTo(subject.page[0], done, subject.page[1]) : done
    }),
  },
})

/** Fails unless the visitor has typed this text. */
export const requireTyped = Effect.fnUntraced(function* requireTyped(text: string) {
  const { form } = yield* Visit
  if (field(form, "typed").trim() !== text) return yield* new NotConfirmed({ member: "typed" })
})

/** Fails if the proof of the visitor's identity is older than `session.step_up_age`. */
export const recentProof = Effect.gen(function* () {
  const { proved_at } = yield* Operator
  const { site } = yield* Visit
  if (!((yield* Clock.currentTimeMillis) - proved_at < site.core.session.step_up_age * 1000)) return yield* new SessionNotFresh()
})

interface Props extends Pick<Confirmation<Subject>, "title" | "text"> {
  readonly subject: Subject
  readonly reason: AskedReason | null
  readonly fields: SafeHtml | null
}

export const template = (view: ConsoleView, { title, text, subject, reason, fields }: Props) => {
  const { t, rich } = view.texts
  const { name, about, page, pageName = name, typed, version = "" } = subject
  const sent = form(view, {
    action: "confirm",
    submit: t(title),
    look: "danger",
    hidden: version === "" ? {} : { version: view.entered("version") || version },
    body: html`${fields}${reason === null ? null : reasonField(view, reason)}${typed === undefined ? null : typedField(view, typed)}`,
    more: html`<a class="button secondary" href="${view.at(...page)}">${t("account.cancel")}</a>`,
  })
  return body(
    view,
    { title: t(title), parent: { href: view.at(...page), label: pageName } },
    html`<div class="card"><p>${rich(text, { name: html`<strong><bdi>${name}</bdi></strong>` })}</p>${details(about)}${sent}</div>`,
  )
}

/** The page after the action, with what it shows once. */
export const answered = (view: ConsoleView, { title, subject }: Pick<Props, "title" | "subject">, shown: SafeHtml) =>
  body(
    view,
    { title: view.texts.t(title), parent: { href: view.at(...subject.page), label: subject.name } },
    html`<div class="card">${details(subject.about)}${shown}</div>`,
  )

export const typedField = (view: ConsoleView, typed: string) =>
  plainField(view, {
    name: "typed",
    label: view.texts.rich("console.confirm.typed", {
      text: /^[!-~]+$/.test(typed) ? leftToRight(typed) : html`<bdi dir="auto">${typed}</bdi>`,
    }),
  })
