import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { Users } from "../../../domain/users/tables.ts"
import { emails, password, rows } from "../../world.ts"
import type { Answer } from "../http/served.ts"
import type { Browse, Form } from "./browse.ts"
import { addressOf, atOnce, browse, signUp, withPages } from "./browse.ts"

// A form that is sent twice acts once: the visitor never reads an error because the first request succeeded.

const mailed = (pattern: RegExp) =>
  Effect.map(emails, (sent) => sent.flatMap(({ text }) => pattern.exec(text)?.[1] ?? []).at(-1) ?? assert.fail("no mail"))

interface Ready {
  readonly her: Browse
  readonly form: Form
  /** The fields of the form, and the action of its button. */
  readonly entered: Readonly<Record<string, string>>
  /** Where the form leads. */
  readonly to: string
}

const ready = (
  her: Browse,
  page: Parameters<Browse["formOf"]>[0],
  action: string,
  to: string,
  fields: Record<string, string> = {},
): Ready => ({
  her,
  form: her.formOf(page, action),
  entered: { ...fields, action },
  to,
})

/** Every form that creates or consumes something, opened and ready to be sent. */
const forms = {
  "a sign-up": Effect.fnUntraced(function* (email: string) {
    const her = browse()
    return ready(her, yield* her.open("/sign-up"), "sign_up", "/account", { email, new_password: password })
  }),
  "a sign-in by password": Effect.fnUntraced(function* (email: string) {
    yield* signUp(browse(), email)
    const her = browse()
    return ready(her, yield* her.open("/sign-in"), "password", "/account", { identifier: email, password })
  }),
  "a code by email": Effect.fnUntraced(function* (email: string) {
    const her = browse()
    const page = yield* her.press(yield* her.open("/sign-in"), "email_code", { identifier: email })
    return ready(her, page, "code", "/account", { code: yield* mailed(/\b(\d{6})\b/) })
  }),
  "a magic link": Effect.fnUntraced(function* (email: string) {
    const her = browse()
    yield* her.press(yield* her.open("/sign-in"), "magic_link", { identifier: email })
    return ready(her, yield* her.open(yield* mailed(/(\/magic-link\?\S+)/)), "sign_in", "/account")
  }),
  "a verification link": Effect.fnUntraced(function* (email: string) {
    yield* signUp(browse(), email)
    const her = browse()
    yield* her.press(yield* her.open("/verify-email"), "send", { email })
    return ready(her, yield* her.open(yield* mailed(/(\/verify-email\?\S+)/)), "verify", "/verify-email/done")
  }),
  "a new password": Effect.fnUntraced(function* (email: string) {
    yield* signUp(browse(), email)
    const her = browse()
    yield* her.press(yield* her.open("/forgot-password"), "send", { email })
    const page = yield* her.open(yield* mailed(/(\/reset-password\?\S+)/))
    return ready(her, page, "reset", "/account", { new_password: "another fine password" })
  }),
  "an invitation": Effect.fnUntraced(function* (email: string) {
    const owner = browse()
    yield* signUp(owner, `owner-of-${email}`)
    const { organization } = yield* owner.api("/organization/create", { name: "Looms", slug: email.replace(/@.*/, "") })
    yield* owner.api("/organization/invite", { organization_id: organization.id, email })
    const link = yield* mailed(/(\/accept-invitation\?\S+)/)
    const her = browse()
    yield* signUp(her, email)
    return ready(her, yield* her.open(link), "accept", `/accept-invitation?accepted=${organization.id}`)
  }),
  "a new organization": Effect.fnUntraced(function* (email: string) {
    const her = browse()
    yield* signUp(her, email)
    const slug = email.replace(/@.*/, "")
    const page = yield* her.open("/account/organizations")
    return ready(her, page, "create", "", { name: "Looms", slug })
  }),
  "a message to send again": Effect.fnUntraced(function* (email: string) {
    const her = browse()
    return ready(her, yield* her.open("/forgot-password"), "send", "/forgot-password/sent", { email })
  }),
} satisfies Readonly<Record<string, (email: string) => Effect.Effect<Ready, unknown, any>>>

const shown = ({ status, headers, text }: Answer) => ({ status, text, to: headers.location, cookies: headers["set-cookie"] })
const counts = Effect.gen(function* () {
  return { users: (yield* rows(Users)).length, sessions: (yield* rows(Sessions)).length, mails: (yield* emails).length }
})

describe("a form that is sent twice", () => {
  it.layer(withPages())((it) => {
    it.effect.each(Object.keys(forms) as ReadonlyArray<keyof typeof forms>)("%s", (name) =>
      Effect.gen(function* () {
        const one = yield* forms[name](`once-${Object.keys(forms).indexOf(name)}@example.com`)
        const before = yield* counts
        const alone = yield* one.her.request("POST", one.form.to, { ...one.form.values, ...one.entered })
        const after = yield* counts
        assert.deepStrictEqual([alone.status, one.to === "" || alone.headers.location === one.to], [303, true], alone.text)

        const { her, form, entered } = yield* forms[name](`twice-${Object.keys(forms).indexOf(name)}@example.com`)
        const cookie = [...her.cookies].map(([each, value]) => `${each}=${value}`).join("; ")
        const start = yield* counts
        const send = (more: object = { cookie }) => her.request("POST", form.to, { ...form.values, ...entered }, more)
        const answers = yield* atOnce([send(), send(), send()])
        // The browser has the new cookies already when it sends the form once more.
        const late = yield* send({})
        for (const answer of [...answers, late]) assert.deepStrictEqual(shown(answer), shown(answers[0] ?? late))
        assert.strictEqual(answers[0]?.status, 303)

        const end = yield* counts
        for (const table of ["users", "sessions", "mails"] as const)
          assert.strictEqual(end[table] - start[table], after[table] - before[table], table)
        assert.strictEqual((yield* addressOf(her)) === null, (yield* addressOf(one.her)) === null)
      }),
    )
  })
})

describe("another form", () => {
  it.layer(withPages())((it) => {
    it.effect("of the same values, of another browser or with other values, is processed", () =>
      Effect.gen(function* () {
        const { her, form, entered } = yield* forms["a sign-up"]("first@example.com")
        const sent = { ...form.values, ...entered }
        assert.strictEqual((yield* her.request("POST", form.to, sent)).status, 303)
        assert.strictEqual((yield* browse().request("POST", form.to, sent)).status, 403)
        const other = browse()
        yield* other.open("/sign-up")
        assert.strictEqual((yield* other.request("POST", form.to, sent)).status, 403)
        const late = yield* her.request("POST", form.to, { ...sent, new_password: `${password} wrong` })
        assert.deepStrictEqual([late.status, late.headers["location"]], [303, "/sign-in"])

        const stranger = browse()
        const again = yield* signUp(stranger, "first@example.com")
        assert.match(again.problem, /already/)
        assert.strictEqual(yield* addressOf(stranger), null)
      }),
    )
  })
})
