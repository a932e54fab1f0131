import { Effect } from "effect"
import { attributesFrom, claimsFor } from "../../../domain/attributes/attributes.ts"
import { faultsOf } from "../../../domain/attributes/faults.ts"
import { fillIndexes, roundEvery } from "../../../domain/attributes/indexes.ts"
import { movedAttributes } from "../../../domain/attributes/moves.ts"
import { Settings } from "../../../domain/attributes/settings.ts"
import { AttributeIndexes, AttributeValues, UserAttributes } from "../../../domain/attributes/tables.ts"
import { find } from "../../../domain/ports/store.ts"
import * as Module from "../../service/module.ts"
import { events } from "./events.ts"

/** Members of users that the configuration declares. The endpoints that show and change users are those of other modules. */
export const attributes = Module.define({
  name: "attributes",
  settings: Settings,
  faults: faultsOf,
  parts: (settings) => {
    const declared = attributesFrom(settings)
    return {
      tables: [UserAttributes, AttributeValues, AttributeIndexes],
      background: [{ every: roundEvery, run: fillIndexes(declared) }],
      attributes: declared,
      rowEvents: events(declared),
      mergesUsers: movedAttributes,
      userClaims: Effect.fnUntraced(function* claimsOfAttributes({ user, scopes }) {
        const row = yield* find(UserAttributes, { user_id: user.id })
        return row._tag === "None" ? {} : claimsFor(declared, row.value.values, scopes)
      }),
    }
  },
})
