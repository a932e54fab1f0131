import { Effect } from "effect"
import { StoreUnavailable } from "../domain/ports/store.ts"
import { type Budget, StoreBudget } from "../domain/ports/store-budget.ts"

/**
 * Begins to wait for the store. May return what to do when the request gives up: what waits for a connection can be dropped, but a
 * connection that other requests share must not be closed because one of them has waited before.
 */
type Start<A, E> = (resume: (result: Effect.Effect<A, E>) => void, budget: Budget) => (() => void) | undefined

/** Waits for the store as long as the request has time left, which the wait uses up. */
export const withinBudget = <A, E>(start: Start<A, E>): Effect.Effect<A, E> =>
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
      const giveUp = () => {
        resume(Effect.die(late))
        drop?.()
      }
      const timer = Number.isFinite(budget.left) ? setTimeout(giveUp, budget.left) : undefined
      const drop = start(resume, budget)
    })
  })

const late = new StoreUnavailable({ cause: new Error("The request has waited for the store for too long") })
