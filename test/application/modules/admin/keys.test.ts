import { assert, describe } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { commandPolicies } from "../../../../adapters/assembly/service.ts"
import { admin } from "../../../../application/modules/admin/index.ts"
import { audit } from "../../../../application/modules/audit/index.ts"
import { Records } from "../../../../application/modules/audit/tables.ts"
import { SigningKeys } from "../../../../application/modules/idp/tables.ts"
import { jwt } from "../../../../application/modules/jwt/index.ts"
import * as AuthOf from "../../../../application/service/auth.ts"
import type { AnyEndpoint } from "../../../../application/service/endpoint.ts"
import * as Keys from "../../../../domain/tokens/keys.ts"
import { owned } from "../../../owned.ts"
import { rulesOf } from "../../../rule.ts"
import { atOnce, browser, core, onWire, rows, secret, signedUp as signedUpTo, times } from "../../../world.ts"
import { builtWith, call, spa } from "../idp/provider.ts"

const root = "root@example.com"
const algorithms = ["EdDSA", "ES256"]
const idp = builtWith({ clients: [spa], signing_algorithms: algorithms })
const settings = { admin_emails: [root], operations: true }
const built = admin.build(Schema.decodeUnknownSync(admin.settings)(settings))
const log = audit.build(Schema.decodeUnknownSync(audit.settings)({}), owned)
const tokens = jwt.build(Schema.decodeUnknownSync(jwt.settings)({ algorithm: "EdDSA" }))
const modules = [...core, built, log, idp, tokens]
const auth = AuthOf.make(modules)
const rule = rulesOf(modules)
const { adminKeysList, adminKeysRotate, adminKeysSecrets } = built.endpoints

const owners = signedUpTo(root, auth)
const withSecrets = (...secrets: ReadonlyArray<string>) =>
  Effect.provide(Layer.orDie(Keys.layer(secrets.map((text) => Redacted.make(text)))))
const day = 86_400
const published = Effect.map(call(idp.endpoints.oauth2Jwks, {}, null, auth), ({ keys }) => keys.map(({ kid }) => kid))

describe("GET /admin/keys/list", () => {
  rule("shows the keys of all modules with their times, and no private part", function* () {
    const owner = yield* owners
    assert.deepStrictEqual(
      (yield* owner.body(adminKeysList)).keys.map(({ use }) => use),
      ["jwt"],
    )
    const kids = yield* published
    const answer = yield* owner.body(adminKeysList)
    assert.deepStrictEqual(
      answer.keys.map(({ use, algorithm, state, until }) => ({ use, algorithm, state, until })),
      [
        { use: "idp", algorithm: "EdDSA", state: "current", until: null },
        { use: "idp", algorithm: "ES256", state: "current", until: null },
        { use: "jwt", algorithm: "EdDSA", state: "current", until: null },
      ],
    )
    assert.sameMembers(
      answer.keys.slice(0, 2).map(({ id }) => id),
      [...kids],
    )
    const text = JSON.stringify(yield* onWire(adminKeysList, answer))
    for (const { sealed_jwk, public_jwk } of yield* rows(SigningKeys)) {
      assert.notInclude(text, sealed_jwk)
      assert.notInclude(text, JSON.parse(public_jwk).x)
    }
    assert.notMatch(text, /"d"|jwk|private/)
    const [first, ...others] = answer.keys
    assert.deepStrictEqual(Object.keys(first ?? {}).toSorted(), ["algorithm", "due_at", "from", "id", "state", "until", "use"])
    assert.lengthOf(others, 2)
  })

  rule("shows the next keys until they sign, and the former ones afterwards", function* () {
    const owner = yield* owners
    yield* published
    yield* owner.body(adminKeysRotate)
    const statesOf = Effect.map(owner.body(adminKeysList), ({ keys }) =>
      keys
        .filter(({ use, algorithm }) => use === "idp" && algorithm === "EdDSA")
        .map(({ state, from, until }) => [state, from, until] as const),
    )
    const [next, current] = yield* statesOf
    assert.deepStrictEqual([next?.[0], current?.[0]], ["next", "current"])
    assert.deepStrictEqual(current?.[2], next?.[1])
    assert.isNull(next?.[2])
    yield* TestClock.adjust(`${day} seconds`)
    const states = (yield* statesOf).map(([state]) => state)
    assert.deepStrictEqual(states, ["current", "former"])
  })

  rule("says by when a next key should sign, unless it is published or the algorithm is not used any more", function* () {
    const owner = yield* owners
    yield* published
    const signsFrom = yield* DateTime.now
    const due = (days: number) => DateTime.formatIso(DateTime.add(signsFrom, { days }))
    const dueOf = Effect.map(owner.body(adminKeysList), ({ keys }) => keys.map(({ due_at }) => due_at && DateTime.formatIso(due_at)))
    assert.deepStrictEqual(yield* dueOf, [due(90), due(90), null])
    yield* owner.body(adminKeysRotate)
    assert.deepStrictEqual(yield* dueOf, [due(91), null, due(91), null, null])
    const fewer = builtWith({ clients: [spa], signing_algorithms: ["EdDSA"] })
    const shown = yield* Effect.provide(fewer.signingKeys ?? Effect.succeed([]), commandPolicies([...core, fewer]))
    assert.deepStrictEqual(
      shown.flatMap(({ algorithm, due_at }) => (due_at === null ? [] : [[algorithm, DateTime.formatIso(due_at)]])),
      [["EdDSA", due(91)]],
    )
  })
})

describe("POST /admin/keys/rotate", () => {
  rule("publishes one key of each algorithm, also if many ask at once, and records it", function* () {
    const owner = yield* owners
    const before = yield* published
    assert.deepStrictEqual(yield* atOnce(times(5, () => owner.body(adminKeysRotate))), { ok: 5 })
    const after = yield* published
    assert.lengthOf(after, 2 * algorithms.length)
    assert.includeMembers([...after], [...before])
    assert.deepStrictEqual(yield* owner.body(adminKeysRotate), { added: [] })
    const recorded = (yield* rows(Records)).filter(({ type, actor_kind }) => type === "secret.rotated" && actor_kind === "admin")
    assert.sameMembers(
      recorded.map(({ data }) => data["id"]),
      after.filter((kid) => !before.includes(kid)),
    )
  })

  rule("answers a request that is sent again like the first one", function* () {
    const owner = yield* owners
    yield* published
    const once = { idempotency_key: "rotate" }
    const { added } = yield* owner.body(adminKeysRotate, once)
    assert.lengthOf(added, algorithms.length)
    yield* TestClock.adjust(`${day - 1} seconds`)
    assert.deepStrictEqual(yield* owner.body(adminKeysRotate, once), { added })
    assert.lengthOf(yield* rows(SigningKeys), 2 * algorithms.length)
  })

  rule("needs the permission", function* () {
    const ada = yield* signedUpTo("ada@example.com", auth)
    for (const endpoint of [adminKeysList, adminKeysRotate, adminKeysSecrets] as ReadonlyArray<AnyEndpoint>) {
      assert.strictEqual(yield* ada.code(endpoint), "forbidden")
      assert.strictEqual(yield* browser(auth).code(endpoint), "unauthorized")
    }
  })
})

rule("GET /admin/keys/secrets counts the values under each secret, and shows none of them", function* () {
  const owner = yield* owners
  yield* published
  const newer = "a newer secret, also long enough to be one"
  const answer = yield* withSecrets(newer, secret)(owner.body(adminKeysSecrets))
  assert.deepStrictEqual(
    answer.secrets.map(({ state }) => state),
    ["current", "former"],
  )
  const [current, former] = answer.secrets
  assert.strictEqual(current?.rows, 0)
  assert.isAtLeast(former?.rows ?? 0, algorithms.length)
  assert.isFalse(former?.capped)
  const text = JSON.stringify(yield* onWire(adminKeysSecrets, answer))
  for (const each of [newer, secret]) assert.notInclude(text, each)
})
