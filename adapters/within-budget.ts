import { Effect } from "effect"
import { StoreUnavailable } from "../domain/ports/store.ts"
import { StoreBudget } from "../domain/ports/store-budget.ts"

/**
 * Waits for the store as long as the request has time left, which the wait uses up. What was begun goes on, up to a limit of its own: a
 * connection that other requests share must not be closed because one of them has waited before.
 */
export const withinBudget = <A, E>(start: (resume: (result: Effect.Effect<A, E>) => void) => void): Effect.Effect<A, E> =>
  Effect.withFiber((caller) => {
    const budget = caller.getRef(StoreBudget)
    if (budget.left <= 0) return Effect.die(late)
    const begun = performance.now()
    return Effect.callback((answer) => {
      let isOver = false
      const resume = (result: Effect.Effect<A, E>) => {
        if (isOver) return
        isOver = true
        clearTimeout(timer)
        budget.left -= performance.now() - begun
        answer(result)
      }
      const timer = Number.isFinite(budget.left) ? setTimeout(() => resume(Effect.die(late)), budget.left) : undefined
      start(resume)
    })
  })

const late = new StoreUnavailable({ cause: new Error("The request has waited for the store for too long") })
