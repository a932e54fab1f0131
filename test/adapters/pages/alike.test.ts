import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { pages } from "../../../adapters/pages/pages.ts"
import { PendingMessages } from "../../../domain/mail/outbox-tables.ts"
import { Store } from "../../../domain/ports/store.ts"
import { Submissions } from "../../../domain/sessions/submissions.ts"
import { modules } from "../../everything.ts"
import { HashCount, password, rows } from "../../world.ts"
import { served } from "../http/served.ts"
import { browse, signedUp } from "./browse.ts"

// Forms with an address do the same work for known and unknown addresses, so that neither the answer nor its time reveals who has an account.

const settings = {
  email_password: { enabled: true, require_email_verification: true },
  links: { existing_account: "http://localhost:3000/sign-in" },
}

let commits = 0
/** Counts the commits; not those that keep the response to a form, which all forms have. */
const counted = Layer.effect(
  Store,
  Effect.map(Store, (store) => ({
    ...store,
    commit: (writes: Parameters<typeof store.commit>[0]) => {
      if (!writes.some(({ table }) => table.name === Submissions.name)) commits += 1
      return store.commit(writes)
    },
  })),
)

/** The forms with an address, and the actions of their buttons. */
const forms = Effect.gen(function* () {
  const found: Array<{ readonly path: string; readonly action: string; readonly member: string }> = []
  for (const { path, access } of pages) {
    if (access !== "public") continue
    const page = yield* browse().open(path)
    if (page.at !== path) continue
    for (const form of page.forms) {
      const member = form.fields.find((name) => name === "identifier" || name === "email")
      const actions = Object.keys(form.buttons).filter((action) => action !== "phone_code")
      if (member !== undefined) for (const action of actions) found.push({ path, action, member })
    }
  }
  return found
})

const work = Effect.gen(function* () {
  const { hashed, verified } = yield* HashCount
  return { hashed, verified, commits, messages: (yield* rows(PendingMessages)).length }
})

describe("a form with an address", () => {
  it.layer(served({ modules, pages: {}, settings, instead: counted }))((it) => {
    it.effect("does the same work for known and unknown ones", () =>
      Effect.gen(function* () {
        yield* signedUp("known@example.com")
        const all = yield* forms
        assert.includeMembers(
          all.map(({ path, action }) => `${path} ${action}`),
          [
            "/sign-in password",
            "/sign-in email_code",
            "/sign-in magic_link",
            "/sign-up sign_up",
            "/forgot-password send",
            "/verify-email send",
          ],
        )
        for (const [index, { path, action, member }] of all.entries()) {
          const results = []
          for (const address of ["known@example.com", `unknown${index}@example.com`]) {
            const her = browse()
            const form = her.formOf(yield* her.open(path), action)
            const before = yield* work
            const secrets = Object.fromEntries(
              form.fields.filter((name) => /password/.test(name)).map((name) => [name, `${password} wrong`]),
            )
            const answer = yield* her.request("POST", form.to, { ...form.values, ...secrets, [member]: address, action })
            const after = yield* work
            const done = Object.entries(after).map(([name, value]) => [name, value - before[name as keyof typeof before]])
            results.push({ status: answer.status, to: answer.headers.location, ...Object.fromEntries(done) })
          }
          assert.deepStrictEqual(results[0], results[1], `${path} ${action}`)
        }
      }),
    )
  })
})
