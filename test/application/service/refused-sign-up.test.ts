import { assert } from "@effect/vitest"
import { Users } from "../../../domain/users/tables.ts"
import { companyOnly } from "../../../examples/company-only.ts"
import { rulesOf } from "../../rule.ts"
import { browser, core, endpoints, password, rows, signedUp } from "../../world.ts"

const module = companyOnly.build({ domains: ["example.com"] })

rulesOf([...core, module])("a gate refuses a sign-up, which creates no user", function* () {
  yield* signedUp("ada@example.com")
  for (const email of ["eve@elsewhere.example", "eve@notexample.com", "eve@example.com.elsewhere.example"])
    assert.strictEqual(yield* browser().code(endpoints.signUpEmail, { email, password }), "not_admitted")
  assert.lengthOf(yield* rows(Users), 1)
})
