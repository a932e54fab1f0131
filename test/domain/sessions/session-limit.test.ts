import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { Store, StoreUnavailable } from "../../../domain/ports/store.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { rule } from "../../rule.ts"
import { atOnce, browser, endpoints, isSignedIn, password, rows, signedUp, times } from "../../world.ts"

const { signInEmail } = endpoints
const credentials = { email: "ada@example.com", password }

const signIns = (count: number) => Effect.forEach(times(count, Number), () => browser().body(signInEmail, credentials))

describe("a user who signs in again and again", () => {
  rule("has at most a tenth more sessions than session.max_per_user, and loses the oldest", function* () {
    const first = yield* signedUp(credentials.email)
    const other = yield* signedUp("bob@example.com")
    yield* signIns(300)
    assert.isAtMost((yield* rows(Sessions)).length, 111)
    assert.isFalse(yield* isSignedIn(first))
    assert.isTrue(yield* isSignedIn(other))
  })

  rule("has at most a tenth more of them after many concurrent sign-ins", function* () {
    yield* signedUp(credentials.email)
    for (const _ of times(4, String))
      assert.deepStrictEqual(yield* atOnce(times(50, () => browser().call(signInEmail, credentials))), { ok: 50 })
    assert.isAtMost((yield* rows(Sessions)).length, 110)
  })

  rule(
    "never has more than max_per_user if that is at most 10",
    function* () {
      yield* signedUp(credentials.email)
      for (const count of [2, 3, 3, 3]) {
        const newest = browser()
        yield* newest.body(signInEmail, credentials)
        assert.lengthOf(yield* rows(Sessions), count)
        assert.isTrue(yield* isSignedIn(newest))
      }
    },
    { session: { max_per_user: 3 } },
  )

  rule(
    "signs in although the other sessions cannot be counted",
    function* () {
      yield* signedUp(credentials.email)
      const store = yield* Store
      const broken = Store.of({ ...store, list: () => Effect.die(new StoreUnavailable({ cause: "gone" })) })
      const ada = browser()
      yield* Effect.provideService(ada.body(signInEmail, credentials), Store, broken)
      assert.isTrue(yield* isSignedIn(ada))
    },
    { session: { max_per_user: 1 } },
  )
})
