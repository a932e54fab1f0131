import type { ConsoleView } from "../../../../adapters/pages/console/screen.ts"
import { english, template } from "../../../../examples/feedback.ts"
import { at, hostile, ids, long, statesOf } from "./console-state.ts"
import type { PageState } from "./state.ts"

/** The view with the texts of the example. */
const own = (view: ConsoleView): ConsoleView => ({
  ...view,
  texts: { ...view.texts, find: (key, values) => Reflect.get(english, key) ?? view.texts.find(key, values) },
})
const feedback = [
  { user_id: ids[0], text: hostile, sent_at: at },
  { user_id: ids[1], text: long.repeat(10), sent_at: at },
]

export const states: ReadonlyArray<PageState> = [
  ...statesOf("/feedback", "/feedback", "console.group.extensions", [
    ["several", (view) => template(own(view), { feedback, query: { cursor: "c" }, next: "next" })],
    ["none", (view) => template(own(view), { feedback: [], query: {}, next: null })],
    ["to read only", (view) => template(own(view), { feedback, query: {}, next: null }), undefined, ["users:read", "users:update"]],
  ]),
]
