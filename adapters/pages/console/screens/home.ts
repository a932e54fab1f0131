import { Effect } from "effect"
import { NotFound } from "../../../../domain/errors.ts"
import { Operator, type Screen } from "../screen.ts"

/** The first page leads to the first screen that the visitor may see. */
export const home: Screen = {
  path: "/",
  permission: null,
  needs: [],
  section: "/",
  show: Effect.gen(function* () {
    const { view, places } = yield* Operator
    const [first] = places
    return first === undefined ? yield* new NotFound() : { to: view.at(first.path) }
  }),
}
